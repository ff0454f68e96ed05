import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMail } from '../../src/mail/readMail.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { patchMailOf } from '../../src/series/patchMail.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { envelopeOf, reencoded, type MailEncoding } from '../../../../test/support/envelopeOf.ts';
import { makeTrees } from '../../../../test/support/patchMaker.ts';
import { commitTrees, patchMails } from '../../../../test/support/patchMakerGit.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const folder = mkdtempSync(join(tmpdir(), 'forge-desk-mailinfo-'));
const patches = counts({ small: 12, full: 700 });

interface MailInfo {
	readonly told: ReadonlyMap<string, string>;
	readonly message: string;
	readonly patch: string;
}

function mailInfo(mails: readonly Buffer[]): readonly MailInfo[] {
	const cases = mails.map((mail) => ({ mail }));
	return runCases('git mailinfo --encoding=UTF-8 message patch <mail', cases).map(({ status, stdout, file }) => {
		assert.equal(status, 0);
		const told = stdout.toString().matchAll(/^(\w+): (.*)$/gm);
		return {
			told: new Map([...told].map(([, key = '', value = '']) => [key, value])),
			message:
				file('message')
					?.toString()
					.replaceAll(/^\n+|\n+$/g, '') ?? '',
			patch: file('patch')?.toString() ?? '',
		};
	});
}

suite('mails of git format-patch', function () {
	this.timeout(600_000);
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	for (const [name, options] of [
		['in their text', ['-M', '-C']],
		['attached', ['--attach', '-M']],
		['with names as they are', ['-ccore.quotePath=false', '-M']],
	] as const) {
		test(`split as with git mailinfo: ${name}`, async () => {
			const random = createRandom(seed() + 3);
			const repository = join(folder, name.replaceAll(' ', '-'));
			mkdirSync(repository);
			commitTrees(repository, makeTrees(patches / 2, random));
			const mails = patchMails(repository, 0, patches / 2, options).map((plain) => {
				const encoding = random.pick<MailEncoding>(['quoted-printable', 'base64', '8bit']);
				const isTextual = !plain.includes('\r') && !plain.includes('\0');
				return reencoded(plain, isTextual || encoding !== '8bit' ? encoding : 'quoted-printable');
			});
			const all = mailInfo(mails);
			for (const [at, mail] of mails.entries()) {
				const reading = await readMail(envelopeOf(mail), { evenIfLarge: true });
				assert.equal(reading.kind, 'read');
				const git = all[at]!;
				const ours = patchMailOf(reading, reading.kind === 'read' ? reading.mail.subject : '');
				assert.equal(ours?.author?.name, git.told.get('Author'));
				assert.equal(ours?.author?.address, git.told.get('Email'));
				assert.equal(ours?.subject, git.told.get('Subject'));
				assert.equal(ours?.message, git.message);
				const { start, end } = parseDiff(git.patch);
				assert.equal(ours.diffText.slice(ours.diff.start, ours.diff.end), git.patch.slice(start, end));
			}
		});
	}
});
