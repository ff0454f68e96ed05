import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mailsIn, unquoted } from 'patchmail/mail/mailbox.ts';

/** A mail of an archive. */
export interface ArchivedMail {
	readonly bytes: Buffer;
	readonly arrivedMs: number;
}

/** The mails of one list, in order of arrival. */
export interface ArchivedList {
	readonly name: string;
	readonly mails: readonly ArchivedMail[];
}

/** `count` is the number of newest mails that a list contributes. */
export function listsIn(folder: string, count: number): readonly ArchivedList[] {
	return readdirSync(folder)
		.toSorted()
		.flatMap((entry) => {
			const path = join(folder, entry);
			if (statSync(path).isFile()) {
				return entry.endsWith('.mbox') ? [{ name: basename(entry, '.mbox'), mails: mailsOfFile(path, count) }] : [];
			}
			const git = ['', 'repo', '.git', 'git/0.git'].map((each) => join(path, each)).find(isRepository);
			return git === undefined ? [] : [{ name: entry.replace(/\.git$/, ''), mails: mailsOfRepository(git, count) }];
		});
}

function isRepository(path: string): boolean {
	return existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'));
}

/** A mailbox has no times of arrival, so its order counts. */
function mailsOfFile(path: string, count: number): readonly ArchivedMail[] {
	return (mailsIn(readFileSync(path)) ?? [])
		.slice(-count)
		.map((mail, at) => ({ bytes: Buffer.from(unquoted(mail)), arrivedMs: at * 1000 }));
}

/** In the format of public-inbox, each commit adds one mail as the file `m`. */
function mailsOfRepository(git: string, count: number): readonly ArchivedMail[] {
	const asked = ['log', `--max-count=${count}`, '--format=%H %ct', '--diff-filter=AM', 'HEAD', '--', 'm'];
	const commits = execFileSync('git', ['--git-dir', git, ...asked], { encoding: 'utf8', maxBuffer: 2 ** 28 })
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => line.split(' '))
		.toReversed();
	const input = commits.map(([commit = '']) => `${commit}:m\n`).join('');
	const { stdout } = spawnSync('git', ['--git-dir', git, 'cat-file', '--batch'], { input, maxBuffer: 2 ** 31 - 1 });
	let at = 0;
	let arrivedMs = 0;
	return commits.flatMap(([, seconds]) => {
		const lineEnd = stdout.indexOf('\n', at);
		const [, type, size] = stdout.subarray(at, lineEnd).toString().split(' ');
		if (type === 'missing') {
			// Copies of archives may lack their largest mails.
			at = lineEnd + 1;
			return [];
		}
		const start = lineEnd + 1;
		const end = start + Number(size);
		at = end + 1;
		// Pages of servers repeat for ever with many mails of one second.
		arrivedMs = Math.max(arrivedMs + 1000, Number(seconds) * 1000);
		return [{ bytes: stdout.subarray(start, end), arrivedMs }];
	});
}
