import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitEnvironment } from './patchMakerGit.ts';

/** Initial files of a case, by name. */
export type CaseFiles = Readonly<Record<string, string | Buffer>>;

/** The result of a case. */
export interface CaseResult {
	readonly status: number;
	readonly stdout: Buffer;
	/** Content of a file afterwards; `undefined` if missing. */
	readonly file: (name: string) => Buffer | undefined;
}

/**
 * Runs a shell script once per case, each in a folder with the case's files, all in one process: starting a program
 * from a large process costs ten times as much as git on small input. Git finds no repository above the folders, and no
 * settings of the machine.
 */
export function runCases(script: string, cases: readonly CaseFiles[]): readonly CaseResult[] {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-cases-'));
	try {
		for (const [at, files] of cases.entries()) {
			mkdirSync(join(folder, String(at)));
			for (const [name, content] of Object.entries(files)) {
				writeFileSync(join(folder, String(at), name), content);
			}
		}
		const each = `cd "$at"; (\n${script}\n) >.stdout; echo $? >.status; cd ..`;
		const loop = `at=0; while [ "$at" -lt ${cases.length} ]; do ${each}; at=$((at + 1)); done`;
		execFileSync('sh', ['-c', loop], { cwd: folder, env: gitEnvironment(folder), stdio: ['ignore', 'ignore', 'pipe'] });
		return cases.map((_, at) => resultIn(join(folder, String(at))));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Reads everything now, because the folder is temporary. */
function resultIn(folder: string): CaseResult {
	const read = (name: string): Buffer => readFileSync(join(folder, name));
	const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
	const contents = new Map(entries.map(({ name }) => [name, read(name)]));
	return {
		status: Number(read('.status')),
		stdout: read('.stdout'),
		file: (name) => contents.get(name),
	};
}
