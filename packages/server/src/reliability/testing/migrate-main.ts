import { migrate } from '../../store/sqlite/migrate.ts';
import { openDatabase } from '../../store/sqlite/open-database.ts';

/**
 * `node migrate-main.ts DATABASE [N]`: migrates a database as every start does, and prints when it is done. With N, it
 * is killed, as by `kill -9`, right after the Nth step.
 */
const [path = '', killAfter = '0'] = process.argv.slice(2);
const database = openDatabase(path);
const exec = database.exec.bind(database);
let steps = 0;
database.exec = (sql) => {
  exec(sql);
  if ((steps += 1) === Number(killAfter)) process.kill(process.pid, 'SIGKILL');
};
migrate(database);
process.stdout.write('done\n');
database.close();
