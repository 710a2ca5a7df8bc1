_Thread_local int other_counter = 1000;
_Thread_local char other_buffer[3000];
int other_bump(void);
int *other_address(void);
int other_bump(void) { return ++other_counter; }
int *other_address(void) { return &other_counter; }
