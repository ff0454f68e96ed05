import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hardenedGit, type HardenedGit, type Machine } from 'hardened-git/hardenedGit.ts';

/** A person's machine for a test: an empty home, and git as the program runs it. */
export interface TestMachine {
	readonly folder: string;
	readonly home: string;
	readonly parts: Machine;
	readonly git: HardenedGit;
	/** Git as it runs without any care. Throws when it fails. */
	plain(cwd: string, ...args: readonly string[]): string;
	/** The same, whether it fails or not; asked for a password it would ask of this host. */
	try(cwd: string, ...args: readonly string[]): void;
	/** The same with input. */
	feed(cwd: string, input: string | Uint8Array, ...args: readonly string[]): string;
	/**
	 * Runs lines for a shell, whose arguments are `$1` and so on. Where one run of git follows another it takes less time than
	 * both, because a large process starts a program slowly, and a shell is small.
	 */
	script(cwd: string, lines: string, ...args: readonly string[]): string;
	/** Commits all that a clone has in its files; answers the commit. */
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
				// What it did on the way is what is looked at.
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
