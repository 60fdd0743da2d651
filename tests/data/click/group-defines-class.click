( elementclass G Print; define($g 1) ) G($g);
