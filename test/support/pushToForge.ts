import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SampleForge } from './sampleForge.ts';

/** A push of files by name, on top of a branch of one of alice's repositories. */
export interface Push {
	/** As `lantern`. */
	readonly repository: string;
	readonly branch: string;
	readonly message: string;
	readonly files: Readonly<Record<string, string | Uint8Array>>;
	/** The branch does not exist yet. */
	readonly isNewBranch?: true;
	/** Tags for the commit. */
	readonly tags?: readonly string[];
}

/** Push address of a repository for a user. Escapes the token for use in an address. */
export function pushAddress(
	{ areas, tokens }: Pick<SampleForge, 'areas' | 'tokens'>,
	repository: string,
	user: keyof SampleForge['tokens'] = 'alice',
): string {
	return `${areas.git.replace('://', `://git:${encodeURIComponent(tokens[user])}@`)}/ssh/${repository}`;
}

/** Pushes a commit as alice from a clone; returns its id. */
export function pushToForge(forge: Pick<SampleForge, 'areas' | 'tokens'>, push: Push): string {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-push-'));
	const env = {
		PATH: process.env['PATH'],
		HOME: folder,
		LC_ALL: 'C',
		GIT_AUTHOR_NAME: 'Alice',
		GIT_AUTHOR_EMAIL: 'alice@forge.test',
		GIT_COMMITTER_NAME: 'Alice',
		GIT_COMMITTER_EMAIL: 'alice@forge.test',
		GIT_TERMINAL_PROMPT: '0',
		GIT_CONFIG_NOSYSTEM: '1',
		GIT_CONFIG_GLOBAL: '/dev/null',
	};
	const clone = join(folder, 'clone');
	const git = (cwd: string, ...args: readonly string[]): string =>
		execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
	try {
		git(
			folder,
			'clone',
			'-q',
			'--depth=1',
			...(push.isNewBranch ? [] : [`--branch=${push.branch}`]),
			pushAddress(forge, `~alice/${push.repository}`),
			clone,
		);
		for (const [name, content] of Object.entries(push.files)) {
			writeFileSync(join(clone, name), content);
		}
		git(clone, 'add', '.');
		git(clone, 'commit', '-qm', push.message);
		push.tags?.forEach((tag) => git(clone, 'tag', tag));
		git(clone, 'push', '-q', '--tags', 'origin', `HEAD:refs/heads/${push.branch}`);
		return git(clone, 'rev-parse', 'HEAD').trim();
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}
