import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keptMail } from 'sample-forge/mail/message.ts';
import type { AppliedWorld } from './appliedWorld.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { someTimeMs } from '../../../../support/makeTicket.ts';

/** Changes of a commit: text, bytes, or `undefined` for a deleted file. */
export type ChangedFiles = Readonly<Record<string, string | Uint8Array>>;

/**
 * Replaces the world's patchset by these changes, one patch each, in the form of an older list server for mails of `git
 * send-email`. `remade` damages a mail in transport. Returns the author's commits.
 */
export function mailCommits(
	{ root, inClone, lists }: Pick<AppliedWorld, 'root' | 'inClone' | 'lists'>,
	changes: readonly ChangedFiles[],
	remade: (mail: Buffer) => Buffer = (mail) => mail,
): readonly string[] {
	const before = inClone('rev-parse', 'HEAD');
	inClone('checkout', '-q', '-b', 'author');
	const commits = changes.map((files, at) => {
		for (const [path, content] of Object.entries(files)) {
			mkdirSync(dirname(join(root, path)), { recursive: true });
			writeFileSync(join(root, path), content);
		}
		inClone('add', '-A');
		inClone('commit', '-q', '-m', `Change ${at + 1}\n\nGrün.`);
		return inClone('rev-parse', 'HEAD');
	});
	const patches = commits.map((commit, at) => {
		const mail = Buffer.from(inClone('format-patch', '--stdout', `-1`, '--start-number', `${at + 1}`, commit), 'utf8');
		const subject = `[PATCH ${at + 1}/${commits.length}] Change ${at + 1}`;
		const text = mail
			.toString('latin1')
			.replace(/^From .*\n/, `Message-ID: <m${71 + at}@forge.test>\n`)
			.replace(/^Subject: .*$/m, `Subject: ${subject}`);
		const kept = keptMail(remade(Buffer.from(`${text}\n`, 'latin1')));
		return makeMail({
			id: 71 + at,
			subject,
			envelope: `From nobody Fri Nov 20 07:13:43 2026\r\n${kept.toString('utf8')}`,
			isPatch: true,
			patchsetId: 7,
			createdMs: someTimeMs,
			...(at === 0 ? {} : { parentId: 71, threadId: 71 }),
		});
	});
	inClone('checkout', '-q', '-f', 'main');
	inClone('branch', '-q', '-D', 'author');
	inClone('reset', '-q', '--hard', before);
	lists.world.mails.splice(0, lists.world.mails.length, ...patches);
	lists.world.series.set(7, patches);
	return commits;
}
