import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMail } from '../../../src/mail/readMail.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';
import { createRandom } from '../../../src/sampleForge/random.ts';
import { patchMailOf } from '../../../src/series/patchMail.ts';
import { counts, seed } from '../../support/counts.ts';
import { envelopeOf, reencoded, type MailEncoding } from '../../support/envelopeOf.ts';
import { makeTrees } from '../../support/patchMaker.ts';
import { commitTrees, gitIn, patchMails } from '../../support/patchMakerGit.ts';

const folder = mkdtempSync(join(tmpdir(), 'forge-desk-mailinfo-'));
const patches = counts({ small: 12, full: 700 });

interface MailInfo {
	readonly told: ReadonlyMap<string, string>;
	readonly message: string;
	readonly patch: string;
}

function mailInfo(mail: Buffer): MailInfo {
	const told = gitIn(folder, ['mailinfo', '--encoding=UTF-8', 'message', 'patch'], mail).toString();
	return {
		told: new Map([...told.matchAll(/^(\w+): (.*)$/gm)].map(([, key = '', value = '']) => [key, value])),
		message: readFileSync(join(folder, 'message'), 'utf8').replaceAll(/^\n+|\n+$/g, ''),
		patch: readFileSync(join(folder, 'patch'), 'utf8'),
	};
}

suite('mails of git format-patch', function () {
	this.timeout(600_000);
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	for (const [name, options] of [
		['in their text', ['-M', '-C']],
		['attached', ['--attach', '-M']],
		['with names as they are', ['-ccore.quotePath=false', '-M']],
	] as const) {
		test(`${name} come apart as git mailinfo takes them apart`, async () => {
			const random = createRandom(seed() + 3);
			const repository = join(folder, name.replaceAll(' ', '-'));
			mkdirSync(repository);
			commitTrees(repository, makeTrees(patches / 2, random));
			for (const plain of patchMails(repository, 0, patches / 2, options)) {
				const encoding = random.pick<MailEncoding>(['quoted-printable', 'base64', '8bit']);
				const isTextual = !plain.includes('\r') && !plain.includes('\0');
				const mail = reencoded(plain, isTextual || encoding !== '8bit' ? encoding : 'quoted-printable');
				const reading = await readMail(envelopeOf(mail), { evenIfLarge: true });
				assert.equal(reading.kind, 'read');
				const git = mailInfo(mail);
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
