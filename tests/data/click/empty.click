// Nothing at all.
;;;
