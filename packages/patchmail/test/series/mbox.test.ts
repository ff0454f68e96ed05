import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mailboxOf } from '../../src/series/mbox.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const environment = {
	...process.env,
	GIT_CONFIG_GLOBAL: '/dev/null',
	GIT_CONFIG_SYSTEM: '/dev/null',
	GIT_AUTHOR_NAME: 'Bob Builder',
	GIT_AUTHOR_EMAIL: 'bob@forge.test',
	GIT_COMMITTER_NAME: 'Bob Builder',
	GIT_COMMITTER_EMAIL: 'bob@forge.test',
};

interface Envelope {
	readonly subject: string;
	readonly envelope: string;
}

function mail(subject: string, body = 'Hello.\n', first = 'From nobody Fri Mar  1 08:00:00 2024\n'): Envelope {
	return { subject, envelope: `${first}From: Bob <bob@forge.test>\nSubject: ${subject}\n\n${body}` };
}

function bytesOf(mails: readonly Pick<Envelope, 'envelope'>[]): Uint8Array {
	return mailboxOf(mails.map(({ envelope }) => envelope));
}

function mboxOf(mails: readonly Envelope[]): string {
	return Buffer.from(bytesOf(mails)).toString('utf8');
}

suite('mailbox of a patchset', () => {
	test('begins every mail with a valid From line and normalizes line ends of the transport', () => {
		const without = mail('[PATCH 1/2] a', 'x\n', '');
		const crlf = mail('[PATCH 2/2] b').envelope.replaceAll('\n', '\r\n');
		const box = mboxOf([without, { subject: '[PATCH 2/2] b', envelope: crlf }]);
		assert.ok(!box.includes('\r'));
		assert.deepEqual(box.match(/^From .*$/gm), [
			'From nobody Thu Jan  1 00:00:00 1970',
			'From nobody Fri Mar  1 08:00:00 2024',
		]);
	});

	test('escapes a text line that would begin a mail, and no other line', () => {
		const body = 'From here on it is easy.\nFrom nobody Fri Mar  1 08:00:00 2024\n';
		const box = mboxOf([mail('[PATCH] a', body)]);
		assert.ok(box.includes('\nFrom here on it is easy.\n>From nobody Fri Mar  1 08:00:00 2024\n'));
	});

	test('keeps a carriage return of the patch if the transport has none', () => {
		assert.ok(mboxOf([mail('[PATCH] a', '+line\r\n')]).includes('+line\r\n'));
	});

	test('keeps mails whole between a From line and a blank line', () => {
		const [first, made] = ['From nobody Fri Mar  1 08:00:00 2024', 'From nobody Thu Jan  1 00:00:00 1970'];
		const text = 'From: Bob\nSubject: a\n\nFrom x to y.\n';
		for (const [envelope, box] of [
			[`${first}\n${text}`, `${first}\n${text}\n`],
			[text, `${made}\n${text}\n`],
			[`\n\n${text}`, `${made}\n${text}\n`],
			[`${first}\n\n\n${text}`, `${first}\n${text}\n`],
			[`From somebody\n${text}`, `${made}\n${text}\n`],
			[text.trimEnd(), `${made}\n${text}\n`],
			[first, `${first}\n\n\n`],
			[text.replaceAll('\n', '\r\n'), `${made}\n${text}\n`],
		] as const) {
			assert.equal(mboxOf([{ subject: '', envelope }]), box, envelope);
		}
	});

	// Results of `git mailsplit` in git 2.39.
	test('treats a line with a time and a year at its end as a From line', () => {
		for (const [line, isFirst] of [
			['From nobody Fri Mar  1 08:00:00 2024', true],
			['From a 1 00:00 2020', true],
			['From nobody 1 08:00 91', true],
			['From nobody 1 08:00 2024 x', true],
			['From nobody 1 08:00 2024:', true],
			['From nobody 1-08:00 2024', true],
			['From  1 00:00 2020', false],
			['From nobody 1 08:00 90', false],
			['From nobody x 08:00 2024', false],
			['From nobody 1 8:00 2024', false],
			['From nobody 1 0x:00 2024', false],
			['From nobody 1 08:x0 2024', false],
			['From nobody 1 08:00 x2024', false],
			['Form nobody Fri Mar  1 08:00:00 2024', false],
			[' From nobody 1 08:00 2024', false],
			['From\tnobody 1 08:00 2024', false],
		] as const) {
			const box = mboxOf([mail('[PATCH] a', `Hello.\n${line}\n`)]);
			assert.ok(box.endsWith(`\nHello.\n${isFirst ? '>' : ''}${line}\n\n`), line);
		}
	});

	test('is empty without mails', () => {
		assert.equal(mboxOf([]), '');
	});

	suite('mailbox for git', function () {
		this.timeout(60_000);
		const directory = mkdtempSync(path.join(tmpdir(), 'forge-desk-mbox-'));
		const git = (args: readonly string[], input?: string): string =>
			execFileSync('git', args, { cwd: directory, input, encoding: 'utf8', env: environment });

		/** Message and diff of the first mail as git reads them, in UTF-8. */
		const told = (box: Uint8Array): string => {
			const [result] = runCases('git mailsplit -o. box && git mailinfo -u message patch <0001', [
				{ box: Buffer.from(box) },
			]);
			assert.equal(result?.status, 0);
			return [result.stdout, result.file('message'), result.file('patch')].map(String).join('');
		};

		suiteTeardown(() => rmSync(directory, { recursive: true, force: true }));

		test('git am applies mails with carriage returns and lines that look like a mail', () => {
			git(['init', '-q', '-b', 'main']);
			writeFileSync(path.join(directory, 'a'), 'one\ntwo\nthree\n');
			git(['add', 'a']);
			git(['commit', '-qm', 'first']);
			for (const [at, words] of ['From the start', 'From nobody Fri Mar  1 08:00:00 2024', 'größe'].entries()) {
				writeFileSync(path.join(directory, 'a'), `one\n${words}\n${at}\nthree\n`);
				git(['commit', '-qam', `change ${at}\n\n${words}`]);
			}
			const tree = git(['rev-parse', 'HEAD^{tree}']).trim();
			const sent = git(['format-patch', '--stdout', '--cover-letter', '--cover-from-description=subject', '-3']);
			const envelopes = sent.split(/^(?=From [0-9a-f]{40} )/m).map((envelope, index) => ({
				subject: /^Subject: (.*)$/m.exec(envelope)?.[1] ?? '',
				envelope: index % 2 === 0 ? envelope : envelope.replaceAll('\n', '\r\n'),
			}));
			assert.equal(envelopes.length, 4);
			git(['checkout', '-q', '-b', 'other', 'HEAD~3']);
			git(['am', '-q', '-3'], mboxOf(envelopes.slice(1)));
			assert.equal(git(['rev-parse', 'HEAD^{tree}']).trim(), tree);
			assert.equal(
				git(['log', '-1', '--skip=1', '--format=%b']).trim(),
				'>From nobody Fri Mar  1 08:00:00 2024',
				'the one line that had to be marked',
			);
		});

		const signs = ['\r', '\u2028', '\u2029', '\u0085', '\v', '\f', 'é', 'ééééé', '\0', '\udca9', ' '];

		for (const sign of signs) {
			test(`escapes a From line with ${JSON.stringify(sign)} in it`, () => {
				const boxes: { readonly box: Buffer; readonly line: string }[] = [];
				for (const line of [
					`From nobody${sign}Thu Jan  1 00:00:00 2020`,
					`From nobody Thu Jan  1 00:00:00${sign}2020`,
					`From ${sign}1${sign}00:00 2020`,
					`From ${sign}1 00:0099`,
					`From ${sign} 1 00:00:00 ${sign}99`,
				]) {
					const box = bytesOf([mail('[PATCH] a', `Hello.\n${line}\nSubject: injected\n\nText.\n`)]);
					boxes.push({ box: Buffer.from(box), line });
				}
				const results = runCases('git mailsplit -o. box', boxes);
				for (const [at, { stdout }] of results.entries()) {
					assert.equal(stdout.toString(), '1\n', JSON.stringify(boxes[at]?.line));
				}
			});
		}

		const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n';

		/** A mail in its original bytes, and as a server sends undecodable bytes. */
		const asBytes = (head: string, body: Uint8Array): { readonly bytes: Buffer; readonly envelope: string } => {
			const bytes = Buffer.concat([Buffer.from(`From: Bob <bob@forge.test>\nSubject: [PATCH] a\n${head}\n`), body]);
			const envelope = Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('');
			return { bytes, envelope };
		};
		const koi8 = Buffer.concat([
			Buffer.from('Reasons: '),
			Buffer.from([0xf0, 0xd2, 0xc9]),
			Buffer.from(`.\n---\n${diff}+`),
		]);
		const koi8Body = Buffer.concat([koi8, Buffer.from([0xd7, 0xc5, 0xd4, 0x0a])]);
		const typed = (charset: string): string =>
			`MIME-Version: 1.0\nContent-Type: text/plain; format=fixed;\n charset=${charset}\nContent-Transfer-Encoding: 8bit\n`;

		test('restores bytes that the server could not decode', () => {
			for (const head of [typed('koi8-r'), typed('"KOI8-R"'), typed('utf-8'), '']) {
				const { bytes, envelope } = asBytes(head, koi8Body);
				const box = Buffer.from(bytesOf([{ envelope }]));
				assert.deepEqual(box.subarray(box.indexOf('\n') + 1, -1), bytes, head);
			}
			assert.match(told(bytesOf([{ envelope: asBytes(typed('koi8-r'), koi8Body).envelope }])), /Reasons: При\.\n/);
		});

		test('writes characters as UTF-8, whatever charset the mail declares, because those are the original bytes', () => {
			for (const head of [typed('koi8-r'), typed('gbk'), typed('us-ascii'), typed('utf-8'), '']) {
				const text = `From: Bob <bob@forge.test>\nSubject: [PATCH] a\n${head}\nx\n---\n${diff}+вет \u4f60\n`;
				const box = Buffer.from(bytesOf([{ envelope: text }]));
				assert.deepEqual(box.subarray(box.indexOf('\n') + 1, -1), Buffer.from(text), head);
			}
		});
	});

	test('keeps a mail that consists of its From line', () => {
		assert.match(
			Buffer.from(mailboxOf(['From nobody Fri Mar  1 08:00:00 2024'])).toString(),
			/^From nobody Fri Mar  1 08:00:00 2024\n\n/,
		);
	});
});
