import { execFileSync } from 'node:child_process';
import type { Workbench } from './workbench.ts';

/** Runs git in the window's folder with the name and address of `user`. Returns its output. */
export function gitOf(
	workbench: () => Pick<Workbench, 'folder'>,
	name: string,
	user: string,
): (...args: readonly string[]) => string {
	return (...args) =>
		execFileSync('git', ['-c', `user.name=${name}`, '-c', `user.email=${user}@forge.test`, ...args], {
			cwd: workbench().folder,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}).trim();
}
