import { execFileSync } from 'node:child_process';
import type { SampleForge } from '../../support/sampleForge.ts';
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

/** Adds a repository of the forge as `origin`, unless an earlier suite of the window has. Pushes go to its SSH path. */
export function addOrigin(git: (...args: readonly string[]) => string, { areas }: Pick<SampleForge, 'areas'>): void {
	if (!git('remote').split('\n').includes('origin')) {
		git('remote', 'add', 'origin', `${areas.git}/~alice/lantern`);
		git('remote', 'set-url', '--push', 'origin', `${areas.git}/ssh/~alice/lantern`);
	}
	git('fetch', '-q', 'origin');
}
