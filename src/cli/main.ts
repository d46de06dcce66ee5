process.stdout.write('wt\n');
