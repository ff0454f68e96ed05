import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitEnvironment } from './patchMakerGit.ts';

/** Files that a case starts with, by name. */
export type CaseFiles = Readonly<Record<string, string | Buffer>>;

/** What became of a case. */
export interface CaseResult {
	readonly status: number;
	readonly stdout: Buffer;
	/** What a file of the case holds afterwards; `undefined` where there is none. */
	readonly file: (name: string) => Buffer | undefined;
}

/**
 * Runs a script of the shell once for each case, in a folder of its own that holds the case's files, and all of them in
 * one process: to start a program from a large process costs ten times what git does with a small input. Git finds no
 * repository above the folders, and no settings of the machine.
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

/** Reads all of it now: the folder is gone afterwards. */
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
