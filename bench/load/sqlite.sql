-- @N@ rows in memory: insertion, an index, joins, grouping, text.
create table item(id integer primary key, name text, kind integer, price real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < @N@)
insert into item select i, 'item-' || (i * 7919 % 100003), i * 31 % 97, i * 0.25 from n;
create index by_name on item(name);
create table sale(item integer, quantity integer);
insert into sale select (id * 104729) % @N@ + 1, id % 9 from item;
select count(*), sum(price) from item where name like 'item-1%';
select kind, count(*), round(avg(price), 2), sum(quantity)
	from item join sale on item.id = sale.item group by kind order by 4 desc limit 5;
select count(*) from item a join item b on a.name = b.name and a.id < b.id;
update item set price = price * 1.1, name = upper(name) where kind % 2;
select substr(name, 1, 6), max(length(name)), group_concat(id % 10, '')
	from item where id % 1000 = 0 group by 1 order by 1 limit 5;
delete from item where kind % 3 = 0;
select count(*), round(sum(price)) from item;
