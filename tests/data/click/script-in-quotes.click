// What scripts use is left to them.
define($limit 5, $name src)
src :: InfiniteSource(LIMIT $limit) -> Discard;
Script(set n $(add $limit 1), print "$n $$ $? $# $1", print $$limit, goto again $(lt $n 3),
       write ${name}.active false, label "$name", print '$limit');
