import assert from 'node:assert/strict';
import { isSameAscii, patchToGit } from '../../src/mail/gitPatch.ts';
import { readMail } from '../../src/mail/readMail.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { createRandom, type Random } from '../../../../test/support/random.ts';
import { mailboxOf } from '../../src/series/mbox.ts';
import { patchMailOf } from '../../src/series/patchMail.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const subject = '[PATCH] Count twice';
const perProcess = 500;
const perRound = 5000;

/** A diff of one line whose meaning depends on its decoding. */
function diffWith(line: string): string {
	const body = [
		'Größe.',
		'---',
		' a.c | 1 +',
		'diff --git a/a.c b/a.c',
		'--- a/a.c',
		'+++ b/a.c',
		'@@ -1,2 +1,3 @@',
		' one',
	];
	return [...body, line, ' two', '-- ', '2.39.5', ''].join('\n');
}

const inBase64 = (text: string, width = 76): string =>
	`${Buffer.from(text)
		.toString('base64')
		.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n')}\n`;

const traps: readonly [string, ...string[]] = [
	diffWith('+// größer =0A+live();'),
	diffWith('+// ends =\n+live();'),
	diffWith('+// \u001B$B*/+live();\u001B(B'),
	diffWith('+a; \n+// b'),
	diffWith('+a\0+b'),
	diffWith('+--b\n+--b--'),
	inBase64(diffWith('+// größer =0A+live();')),
	inBase64(diffWith('+live();'), 74),
	inBase64(diffWith('+a\0+b')),
	`${diffWith('+// plain')}\n${inBase64(diffWith('+live();'))}`,
	Buffer.from(diffWith('+wide'), 'utf16le').toString('base64'),
];

const types: readonly [string, ...string[]] = [
	'text/plain',
	'text/plain; charset=utf-8',
	'text/plain; charset="iso-8859-1"',
	'text/plain; charset=utf-16le',
	'text/plain; charset=iso-2022-jp',
	'text/plain; charset=shift_jis',
	'text/plain; charset=utf-8; charset=iso-8859-1',
	'text/plain; xcharset=koi8-r; charset=utf-8',
	'text/plain; format=flowed',
	'text/plain; format=flowed; delsp=yes',
	'text/plain; xformat=flowed',
	'text/plain; x="a; boundary=b"',
	'text/plain; name="boundary=b"',
	'text/html; charset=utf-8',
	'application/octet-stream; name=x.patch',
	'multipart/mixed; boundary=b',
	'multipart/mixed; boundary="b"',
	'multipart/mixed;\n boundary=b; charset=iso-8859-1',
	'multipart/alternative; boundary="b"; boundary=c',
	'multipart/mixed; boundary=bb',
	'=?utf-8?q?text/plain;_format=3Dflowed?=',
	'nonsense',
];
const encodings: readonly [string, ...string[]] = [
	'7bit',
	'8bit',
	'quoted-printable',
	'base64',
	'Quoted-Printable',
	'BASE64',
	'',
	'8bit (not base64)',
	'x-quoted-printable',
	'"base64"',
	'base64; x',
	'quoted-printable base64',
	'=?utf-8?q?base64?=',
	'quoted-\n printable',
	'uuencode',
];
const oddLines: readonly [string, ...string[]] = [
	'X-No-Colon',
	'X-Blank : x',
	' goes on',
	'\tgoes on',
	'X-Return: a\rContent-Transfer-Encoding: base64',
	'\r',
	'Größe: x',
	'>From somebody',
	'From somebody',
	': empty',
	'X-Long: a\n b\n\tc',
	'Subject: [PATCH] Another',
	'X-Zero: \0',
	' ',
	'\u00A0X: y',
];

function fieldLine(name: string, value: string, random: Random): string {
	const written = random.pick([name, name, name, name.toLowerCase(), name.toUpperCase()]);
	return `${written}${random.pick([': ', ': ', ': ', ': ', ':', ' : ', ':\t', ':  '])}${value}`;
}

function contentFields(random: Random): string[] {
	const fields: string[] = [];
	for (let times = random.below(4); times > 0; times -= 1) {
		const isType = random.chance(50);
		const value = random.chance(60)
			? random.pick(isType ? ['text/plain; charset=utf-8'] : ['quoted-printable', 'base64', '8bit'])
			: random.pick(isType ? types : encodings);
		fields.push(fieldLine(isType ? 'Content-Type' : 'Content-Transfer-Encoding', value, random));
	}
	return fields;
}

function partsOf(random: Random): string {
	const boundary = (): string => random.pick(['--b', '--b', '--b', '--b', '--bb', '--b ', '--b--', '--c', ' --b']);
	const lines: string[] = random.chance(30) ? ['preamble', random.pick(traps)] : [];
	for (let times = 1 + random.below(3); times > 0; times -= 1) {
		lines.push(boundary(), ...contentFields(random));
		if (random.chance(10)) {
			lines.push(random.pick(oddLines));
		}
		if (random.chance(90)) {
			lines.push('');
		}
		lines.push(random.pick(traps));
	}
	return [...lines, random.pick(['--b--', '--b--', '--b', '']), ''].join('\n');
}

function mutatedMail(random: Random): Buffer {
	const head = ['From: Bob <bob@forge.test>', `Subject: ${subject}`, ...contentFields(random)];
	const isMultipart = random.chance(30);
	if (isMultipart) {
		head.push(`Content-Type: ${random.pick(['multipart/mixed; boundary=b', 'multipart/alternative; boundary="b"'])}`);
	}
	if (random.chance(25)) {
		head.splice(random.below(head.length + 1), 0, random.pick(oddLines));
	}
	const text = `${head.join('\n')}\n\n${isMultipart || random.chance(5) ? partsOf(random) : random.pick(traps)}`;
	return Buffer.from(random.chance(15) ? withOddSign(text, random) : text);
}

/** Replaces, inserts or deletes one character somewhere in the head. */
function withOddSign(text: string, random: Random): string {
	const at = random.below(text.indexOf('\n\n') + 1);
	const sign = random.pick(['', ' ', ':', '\n', '\r', ';', '=', '"', '\t', '\0', 'b']);
	return text.slice(0, at) + sign + text.slice(at + random.below(2));
}

/** The mail as a forge serves it, with CRLF; it has no invalid UTF-8. */
function asHandedOut(mail: Buffer): string {
	return `From nobody Fri Nov 20 07:13:43 2026\n${mail.toString()}`.replaceAll('\n', '\r\n');
}

/** Every second mailbox is one of our own. */
function isOurs(at: number): boolean {
	return at % 2 === 0;
}

/** A mailbox of one mail: our own, which names its charset, or a forge’s with the original text. */
function boxOf(envelope: string, at: number): Buffer {
	const sent = envelope.replaceAll('\r\n', '\n').replaceAll(/\nFrom (?=.*\d:\d\d)/g, '\n>From ');
	return isOurs(at) ? Buffer.from(mailboxOf([envelope])) : Buffer.from(`${sent}\n\n`);
}

/** Git’s input for `git apply` from each mail; `undefined` if it refuses the mail. */
function patchesByGit(envelopes: readonly string[]): readonly (string | undefined)[] {
	const boxes: { readonly box: Buffer }[] = [];
	for (let at = 0; at < envelopes.length; at += perProcess) {
		boxes.push({ box: Buffer.concat(envelopes.slice(at, at + perProcess).map(boxOf)) });
	}
	const script = `
		git mailsplit -d6 -o. box >/dev/null
		for mail in 0*; do git mailinfo "$mail.m" "$mail.p" <"$mail" >"$mail.i" 2>&1 || : >"$mail.no"; done
		ls | grep -c '^0[0-9]*$'`;
	return runCases(script, boxes).flatMap(({ stdout, file }, box) => {
		const count = Math.min(perProcess, envelopes.length - box * perProcess);
		assert.equal(Number(stdout.toString()), count);
		return Array.from({ length: count }, (_, at) => {
			const name = String(at + 1).padStart(6, '0');
			return file(`${name}.no`) ? undefined : (file(`${name}.p`)?.toString('latin1') ?? '');
		});
	});
}

/** Without charsets in the text, which our own mailbox rewrites. */
function withoutCharsets(text: string): string {
	return text.replaceAll(/charset=[^\n;]*/gi, 'charset=');
}

function diffOf(text: string): string {
	const diff = parseDiff(text);
	return text.slice(diff.start, diff.end);
}

type Outcome = 'refused' | 'raw' | 'same' | 'doubted';

/** The outcome for a mail; fails if an unreported difference from git exists. */
async function compared(envelope: string, byGit: string | undefined, isFromUs: boolean): Promise<Outcome> {
	const reading = await readMail(envelope, { evenIfLarge: true });
	if (byGit === undefined) {
		return 'refused';
	}
	if (reading.kind === 'raw') {
		return 'raw';
	}
	const applied = withoutCharsets(byGit);
	const { mail } = reading;
	const patch = patchMailOf(reading, subject);
	assert.ok(patch);
	const shown = withoutCharsets(patch.diffText.slice(patch.diff.start, patch.diff.end));
	const isSame = isSameAscii(shown, diffOf(applied));
	const isDoubted = mail.doubts.length > 0 || patch.gitDiff !== undefined;
	const seen = JSON.stringify([envelope, applied, shown]);
	assert.ok(isSame || isDoubted, seen);
	if (!isFromUs) {
		// Git’s own rules must match for any mail.
		assert.ok(isSameAscii(withoutCharsets(patchToGit(mail)), applied), seen);
		assert.equal(patch.gitDiff === undefined, isSame, seen);
	}
	return isDoubted ? 'doubted' : 'same';
}

suite('displayed patch', function () {
	this.timeout(3_600_000);

	const plain = diffWith('+a');
	const multipart = ['Content-Type: multipart/mixed; boundary=b', '', '--b', 'Content-Type: text/plain'];
	for (const [title, head, kinds] of [
		['a head without repeated fields', ['Content-Transfer-Encoding: 8bit', ''], []],
		['two encodings', ['Content-Transfer-Encoding: 8bit', 'Content-Transfer-Encoding: 7bit', ''], ['repeatedField']],
		['an unknown encoding', ['Content-Transfer-Encoding: 8bit; base64', ''], ['unknownEncoding']],
		['a blank before a colon', ['X-A : b', ''], ['blankBeforeColon', 'otherMessage']],
		['a bare CR', ['X-A: b\rc', ''], ['bareReturn']],
		['a line without a colon', ['X-A', ''], ['noField', 'otherMessage']],
		['a blank before a colon in the head of a part', [...multipart, 'X-A : b', ''], ['noField']],
	] as const) {
		test(`${title}: ${kinds.length === 0 ? 'no doubt' : 'in doubt'}`, async () => {
			const lines = ['From: Bob <bob@forge.test>', `Subject: ${subject}`, ...head, plain, '--b--', ''];
			const reading = await readMail(asHandedOut(Buffer.from(lines.join('\n'))), { evenIfLarge: true });
			assert.ok(reading.kind === 'read');
			const seen = new Set<string>(reading.mail.doubts.map(({ kind }) => kind));
			assert.deepEqual(kinds.length === 0 ? [...seen] : kinds.filter((kind) => !seen.has(kind)), []);
		});
	}

	test('begins with a blank: in doubt', async () => {
		const reading = await readMail(asHandedOut(Buffer.from(` X: y\nFrom: Bob <bob@forge.test>\n\n${plain}`)), {
			evenIfLarge: true,
		});
		assert.ok(reading.kind === 'raw' || reading.mail.doubts.some(({ kind }) => kind === 'blankAtStart'));
	});

	testInBoth('equals the patch that git applies, or the mail is in doubt', async () => {
		const random = createRandom(seed() + 12);
		const count = counts({ first: 170, small: 500, full: 40_000 });
		const outcomes: Record<Outcome, number> = { refused: 0, raw: 0, same: 0, doubted: 0 };
		for (let done = 0; done < count; done += perRound) {
			const mails = Array.from({ length: Math.min(perRound, count - done) }, () => mutatedMail(random));
			const envelopes = mails.map(asHandedOut);
			const byGit = patchesByGit(envelopes);
			for (const [at, envelope] of envelopes.entries()) {
				outcomes[await compared(envelope, byGit[at], isOurs(at))] += 1;
			}
		}
		console.log(`      ${count} mails beside git mailinfo: ${JSON.stringify(outcomes)}`);
		assert.ok(outcomes.same > count / 10 && outcomes.doubted > count / 10);
	});
});
