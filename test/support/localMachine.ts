import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hardenedGit, type HardenedGit, type Machine } from 'hardened-git/hardenedGit.ts';

/** A test user's machine: an empty home, and git as the product runs it. */
export interface TestMachine {
	readonly folder: string;
	readonly home: string;
	readonly parts: Machine;
	readonly git: HardenedGit;
	/** Runs git without hardening. Throws on failure. */
	plain(cwd: string, ...args: readonly string[]): string;
	/** The same without an error on failure; password prompts show this host. */
	try(cwd: string, ...args: readonly string[]): void;
	/** The same with input. */
	feed(cwd: string, input: string | Uint8Array, ...args: readonly string[]): string;
	/**
	 * Runs shell lines with arguments `$1` and so on. Faster than separate runs of git, because a large process starts
	 * programs slowly.
	 */
	script(cwd: string, lines: string, ...args: readonly string[]): string;
	/** Commits all files of a clone; returns the commit. */
	commitAll(cwd: string, message: string, ...more: readonly string[]): string;
	remove(): void;
}

export function testMachine(changes: Partial<Machine> = {}): TestMachine {
	const folder = mkdtempSync(join(tmpdir(), 'local-git-'));
	const home = join(folder, 'home');
	mkdirSync(home);
	const environment = {
		PATH: process.env['PATH'] ?? '',
		HOME: home,
		XDG_CONFIG_HOME: home,
		GNUPGHOME: join(home, 'gnupg'),
		GIT_CONFIG_NOSYSTEM: '1',
	};
	const people = { GIT_AUTHOR_NAME: 'Alice', GIT_AUTHOR_EMAIL: 'alice@forge.test' };
	const committer = { GIT_COMMITTER_NAME: 'Alice', GIT_COMMITTER_EMAIL: 'alice@forge.test' };
	const parts: Machine = {
		isTrusted: () => true,
		gitPath: async () => undefined,
		openFolders: () => [],
		environment,
		isWindows: process.platform === 'win32',
		devNull,
		...changes,
	};
	const run = (program: string, cwd: string, input: string | Uint8Array, args: readonly string[]): string =>
		execFileSync(program, args, {
			cwd,
			input,
			env: { ...environment, ...people, ...committer, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
			stdio: ['pipe', 'pipe', 'pipe'],
			encoding: 'utf8',
		});
	const feed: TestMachine['feed'] = (cwd, input, ...args) => run('git', cwd, input, args);
	const script: TestMachine['script'] = (cwd, lines, ...args) => run('sh', cwd, '', ['-ec', lines, 'sh', ...args]);
	return {
		folder,
		home,
		parts,
		git: hardenedGit(parts),
		plain: (cwd, ...args) => feed(cwd, '', ...args),
		try(cwd, ...args) {
			try {
				feed(cwd, 'protocol=https\nhost=forge.test\n\n', ...args);
			} catch {
				// The test checks side effects.
			}
		},
		feed,
		script,
		commitAll(cwd, message, ...more) {
			const lines = 'git add -A\nexec git -c core.abbrev=40 commit "$@"';
			const told = script(cwd, lines, '-m', message, ...more);
			const id = /^\[.*?\b([0-9a-f]{40})\]/m.exec(told)?.[1];
			if (id === undefined) {
				throw new Error(`Git told no commit: ${told}`);
			}
			return id;
		},
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}
