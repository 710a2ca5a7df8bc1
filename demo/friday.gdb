# Where does the wrong pointer come from?  For gdb in a replay of friday.stock.
set style enabled off
set debuginfod enabled off
set confirm off
set prompt
# As far as the crash, to see what is wrong.
run
print item->parts
print item->name
# Once more from the beginning.  Everything has the same address again.
break drop
run
delete
watch ((struct item *)0x40000002000)->parts
continue
backtrace
