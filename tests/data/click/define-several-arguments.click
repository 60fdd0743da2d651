define($args 1, $more "x, y")
define($both $args $more)
Print($both, '$both');
