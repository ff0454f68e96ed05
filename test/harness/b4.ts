import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from './places.ts';
import { PlainProblem } from './plainProblem.ts';

export const b4Version = '0.16.0';

/** A Python with b4 from PyPI, which a first call installs. */
export function ensureB4(): string {
	const folder = join(toolsFolder, `b4-${b4Version}`);
	const python = join(folder, 'bin/python');
	const run = (program: string, ...args: readonly string[]): number | null =>
		spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status;
	if (!existsSync(join(folder, 'bin/b4'))) {
		console.log(`Installing b4 ${b4Version} with pip (once)`);
		run('python3', '-m', 'venv', folder);
		run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `b4==${b4Version}`);
	}
	if (!existsSync(join(folder, 'bin/b4'))) {
		throw new PlainProblem(
			`b4 ${b4Version} is missing: install Python 3.11 with venv and pip, and try again with a network.`,
		);
	}
	return python;
}
