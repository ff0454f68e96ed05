import assert from 'node:assert/strict';
import { charsetOf, decodeBytes } from '../../src/mail/charsets.ts';
import { disguise } from '../../src/mail/disguise.ts';
import { decodeWords, hideWords } from '../../src/mail/encodedWords.ts';
import { messageOf } from '../../src/mail/envelope.ts';
import { joinedFlow, unstuffed, mailContent } from '../../src/mail/mailContent.ts';
import { bytesOfMail, gitPatch } from '../../src/mail/gitPatch.ts';
import { headDoubts } from '../../src/mail/mailDoubts.ts';
import { isTooMuch } from '../../src/mail/partLimit.ts';
import { isPatchFile, readMail } from '../../src/mail/readMail.ts';
import { plainAddresses } from '../../src/mail/plainAddresses.ts';
import { plainContent } from '../../src/mail/plainHead.ts';
import { readPlainMail } from '../../src/mail/mailReader.ts';
import { senderCautions } from '../../src/mail/senderCautions.ts';
import { fromBase64, fromQuotedPrintable } from '../../src/mail/transferEncodings.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import {
	cpuMsSince,
	growthOf,
	isSlowEachTime,
	isSlowEachTimeAwaited,
	mostGrowth,
} from '../../../../test/support/cpuTime.ts';
import { deceivingMails, growingMails } from '../../../../test/support/hostileMails.ts';
import { isUnreadable } from '../support/isUnreadable.ts';
import { madeMail, mutatedMail } from '../support/mailMaker.ts';
import { testInBoth } from '../../../../test/support/parts.ts';

const rule = { limitMs: 50, repeats: 3 } as const;

suite('fuzzed mails', () => {
	testInBoth('never throw or take long, however damaged', async () => {
		const random = createRandom(seed() + 2);
		const rounds = counts({ first: 1000, small: 3000, full: 250_000 });
		const deceiving = Object.values(deceivingMails);
		let mail = madeMail(random).envelope;
		let read = 0;
		for (let round = 0; round < rounds; round += 1) {
			// Damage adds up for a while; most damaged mails need the general parser.
			const isFresh = round % 8 === 0 || mail.length > 8000;
			const base = isFresh
				? random.chance(10)
					? random.pick([deceiving[0] ?? '', ...deceiving])
					: madeMail(random).envelope
				: mail;
			mail = mutatedMail(base, random);
			const damaged = mail;
			assert.ok(!isSlowEachTime(() => void readPlainMail(damaged), rule), JSON.stringify(damaged));
			const start = process.cpuUsage();
			const reading = await readMail(damaged, { evenIfLarge: false });
			const isSlow =
				cpuMsSince(start) > rule.limitMs &&
				(await isSlowEachTimeAwaited(() => readMail(damaged, { evenIfLarge: false }), rule));
			assert.ok(!isSlow, JSON.stringify(damaged));
			assert.ok(
				reading.kind === 'read' ? isWhole(reading.mail) : reading.text === damaged.replaceAll('\r\n', '\n'),
				JSON.stringify(damaged),
			);
			read += reading.kind === 'read' ? 1 : 0;
			if (reading.kind === 'raw' && reading.reason === 'unreadable') {
				assert.ok(await isUnreadable(damaged), JSON.stringify(damaged));
			}
		}
		assert.ok(read > rounds / 2, `${read} of ${rounds} were read`);
	}).timeout(1_200_000);

	for (const { name, make } of growingMails) {
		test(`${name}: parsing takes linear time`, () => {
			// A common mail has a head of at most 32 KB; the general parser runs in a thread with a time limit.
			const growth = growthOf((mail) => void readPlainMail(mail), make, 6000);
			assert.ok(growth <= mostGrowth, `${growth}`);
		}).timeout(60_000);
	}

	test('a hidden word gets a unique marker, whatever markers the sender writes', () => {
		const word = '=?a?q?b?=';
		for (const written of ['w'.repeat(60_000), '1'.repeat(60_000), '0w0~|', '0w|~?1w|~?2w0~|', 'w0~|'.repeat(500)]) {
			const value = `${word} |~?${written} ${word}, <a@b.c>`;
			const hidden = hideWords(value);
			assert.ok(!hidden.value.includes('=?') && hidden.value.length < value.length + 40);
			assert.equal(hidden.reveal(hidden.value), value.replaceAll(word, 'b'));
		}
	});

	const hidingGrows: Readonly<Record<string, (size: number) => string>> = {
		'one long sign': (size) => `=?a?q?b?= |~?${'w'.repeat(size)} <a@b.c>`,
		'a long sign and many words': (size) => `|~?${'w'.repeat(size)}${'=?a?q?b?=x'.repeat(size / 10)}`,
		'many signs with numbers': (size) =>
			`=?a?q?b?=${Array.from({ length: Math.ceil(size / 8) }, (_, at) => `|~?${at}w`).join('')}`,
	};
	for (const [name, make] of Object.entries(hidingGrows)) {
		test(`hiding words among ${name} takes linear time`, () => {
			const growth = growthOf((value) => void hideWords(value).reveal(value), make, 20_000);
			assert.ok(growth <= mostGrowth, `${growth}`);
		}).timeout(120_000);
	}

	const sender = [{ name: 'a', address: 'b@c.test' }] as const;
	const parsers: Readonly<Record<string, (text: string) => unknown>> = {
		decodeWords,
		hideWords,
		plainAddresses,
		messageOf,
		isTooMuch,
		unstuffed,
		fromBase64,
		disguise: (text) => disguise(text).reveal(text),
		disguiseBytes: (text) => disguise(text).revealBytes(disguise(text).bytes),
		flow: (text) => joinedFlow(text, true),
		content: (text) => mailContent([{ decoded: text, isFlowed: false, delSp: false }]),
		contentType: (text) => plainContent([{ name: 'content-type', value: text }]),
		patchFile: (text) => isPatchFile({ name: text, type: 'text/plain', text: () => text }),
		cautions: (text) => senderCautions([...sender, { name: text, address: text }].slice(1), text),
		quotedPrintable: (text) => fromQuotedPrintable(Buffer.from(text, 'latin1')),
		utf8: (text) => decodeBytes(Buffer.from(text, 'latin1'), charsetOf('utf-8')),
		guess: (text) => decodeBytes(Buffer.from(text, 'latin1'), charsetOf(undefined)),
		label: (text) => charsetOf(text),
		doubts: headDoubts,
		gitPatch: (text) => gitPatch(bytesOfMail(text)),
		gitParts: (text) => gitPatch(`Content-Type: a; boundary=b\n\n--b\n\ndiff -\n${bytesOfMail(text)}`),
		gitFlowed: (text) => gitPatch(`Content-Type: a; format=flowed\n\ndiff -\n${bytesOfMail(text)}`),
		gitQuoted: (text) => gitPatch(`Content-Transfer-Encoding: quoted-printable\n\ndiff -\n${bytesOfMail(text)}`),
		gitBase64: (text) => gitPatch(`Content-Transfer-Encoding: base64\n\nZGlmZiAtCg==\n${bytesOfMail(text)}`),
	};
	const texts: readonly string[] = [
		' ',
		'\t',
		'\n',
		'\r',
		'\r\n',
		' \n',
		'>',
		'"',
		'(',
		'<',
		'@',
		',',
		'a@b,',
		'"a" ',
		' <',
		'=',
		'=\n',
		'=?',
		'?=',
		'=?a?q?',
		'=?a?q?b?=',
		'=?a?q?b?= ',
		'=?utf-8?b?QUFB?= ',
		';',
		'; a=b',
		'; a="b"',
		'--b\n',
		'--',
		'a',
		'é',
		'\uDCFF',
		'\uD800',
		'|~',
		'|~?w',
		'|~!!!!!!!!~|',
		'QQ==\n',
		'QUFB',
		'\u00FF',
		'\u00C3',
		'--- \n',
		'--- a\n+++ ',
		'x: y\n',
	];
	for (const [at, [name, parse]] of Object.entries(parsers).entries()) {
		test(`${name} takes linear time for any input`, () => {
			const every = counts({ small: 1, full: 8 });
			for (const text of texts.filter((_, index) => (index + at) % 8 < every)) {
				const made = (size: number): string => `x${text.repeat(Math.ceil(size / text.length))}x`;
				// Memory grows in steps that differ by size; a superlinear function is slow at every size.
				const small = growthOf(parse, made, 20_000);
				const growth = small <= mostGrowth ? small : growthOf(parse, made, 75_000);
				assert.ok(growth <= mostGrowth, `${JSON.stringify(text)}: ${growth}`);
			}
		}).timeout(120_000);
	}

	function isWhole(mail: { readonly text: string; readonly body: string }): boolean {
		return !mail.text.includes('\r\n') && mail.body.isWellFormed();
	}
});
