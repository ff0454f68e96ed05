import assert from 'node:assert/strict';
import { readMail } from '../../src/mail/readMail.ts';
import { patchMailOf } from '../../src/series/patchMail.ts';
import { mailText } from '../../src/mail/mailText.ts';
import { counts } from '../../../../test/support/counts.ts';
import { commitsName } from '../../../../test/support/gitSince.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { keepProofTable } from '../../../../test/support/proofTable.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

/**
 * Bytes by charset: ordinary text, then bytes that decoders read differently, then bytes of another
 * charset.
 */
const fillings: Readonly<Record<string, readonly string[]>> = {
	'': ['caf\xc3\xa9', 'caf\xe9 \x80', '\xef\xbf\xbe \xed\xa0\x80 \xc0\x80'],
	'utf-8': ['caf\xc3\xa9 \xe2\x82\xac', 'caf\xe9 \x80', 'caf\xc3\xa9 caf\xe9'],
	'us-ascii': ['cafe', 'caf\xc3\xa9', '\x80'],
	'iso-8859-1': ['caf\xe9', 'caf\xe9 10 \x80', '\x93x\x94 \x81'],
	'iso-8859-9': ['\xfe\xf0', '\x80 \x93', '\xc3\xa9'],
	'iso-8859-15': ['caf\xe9 \xa4', '\x80', '\xc3\xa9'],
	'windows-1252': ['caf\xe9 \x80', '\x81 \x9d', '\xc3\xa9'],
	'windows-1250': ['\x9a\x9e', '\x81', '\xc3\xa9'],
	'windows-1255': ['\xf9\xec\xe5\xed', '\xf9\xd1\xec\xc9', '\xca'],
	'windows-1258': ['xin', 'ch\xe0\xec', '\xd2\xc3'],
	'koi8-r': ['\xf0\xd2\xc9', '\x80\x95', '\xc3\xa9'],
	'koi8-u': ['\xa4\xb4', '\xae\xbe', '\xc3\xa9'],
	gb2312: ['\xc4\xe3\xba\xc3', '\xa1\xa4 \xa1\xaa', '\x81\x40 \xa2\xa1'],
	gbk: ['\xc4\xe3\x81\x40', '\xa2\xe3 \x80', '\xa6\xd9'],
	gb18030: ['\xc4\xe3\x816\xa89', '\xa3\xa0', '\x85\x30\x81\x34'],
	big5: ['\xa7A\xa6n', '\xc6\xa1 \xf9\xd6', '\x87\x40'],
	'euc-kr': ['\xb0\xa1\xb3\xaa', '\x8cc\xb9\xe6 \xbc\x84', '\xc9\xa1'],
	'ks_c_5601-1987': ['\xb0\xa1', '\x8cc\xb9\xe6', '\x80'],
	uhc: ['\x8cc\xb9\xe6\xb0\xa2\xc7\xcf', '\xbc\x84', '\xff'],
	'euc-jp': ['\xa4\xa2', '\xa1\xc1 \xa1\xdd \xa2\xcc', '\xad\xa1'],
	shift_jis: ['\x82\xa0', '\x81\x60 \x81\x7c \\ ~', '\x87\x40'],
	'iso-2022-jp': ['\x1b$B$"\x1b(B', '\x1b$B!A!]!B\x1b(B', '\x1b$B-!\x1b(B'],
	'tis-620': ['\xa1\xa2', '\x80', '\xdb'],
	'lamp-8': ['cafe', 'caf\xe9', '\x80'],
};

const places = ['base64 text', 'quoted text', 'plain text', 'subject', 'name'] as const;
type Place = (typeof places)[number];

interface Input {
	readonly charset: string;
	readonly bytes: string;
	readonly place: Place;
}

const inputs: readonly Input[] = Object.entries(fillings).flatMap(([charset, some]) =>
	some.flatMap((bytes) => places.map((place): Input => ({ charset, bytes, place }))),
);

const diff =
	'---\n\ndiff --git a/one b/one\nnew file mode 100644\n--- /dev/null\n+++ b/one\n@@ -0,0 +1 @@\n+one\n-- \n2.39.5\n';

function mailOf({ charset, bytes, place }: Input): Buffer {
	const word = `=?${charset || 'utf-8'}?b?${Buffer.from(bytes, 'latin1').toString('base64')}?=`;
	const encoding = { 'base64 text': 'base64', 'quoted text': 'quoted-printable' }[place as string] ?? '8bit';
	const text = Buffer.from(`${place.endsWith('text') ? bytes : 'Because.'}\n${diff}`, 'latin1');
	const declared = charset === '' || !place.endsWith('text') ? '' : `; charset=${charset}`;
	const body = {
		base64: () => `${text.toString('base64')}\n`,
		'quoted-printable': () =>
			text
				.toString('latin1')
				// oxlint-disable-next-line no-control-regex -- the escape of ISO-2022-JP
				.replaceAll(/[=\x80-\xff\x1b]/g, (byte) => `=${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`),
		'8bit': () => text.toString('latin1'),
	}[encoding]!();
	return Buffer.from(
		[
			'From nobody Fri Nov 20 07:13:43 2026',
			`From: ${place === 'name' ? word : 'Ann Lee'} <ann@forge.test>`,
			`Subject: [PATCH] ${place === 'subject' ? word : 'Fill the lamp'}`,
			'Date: Fri, 20 Nov 2026 07:13:43 +0000',
			'MIME-Version: 1.0',
			`Content-Type: text/plain${declared}`,
			`Content-Transfer-Encoding: ${encoding}`,
			'',
			body,
		].join('\n'),
		'latin1',
	);
}

/** Author and message of each commit by `git am`; `undefined` if it makes none. */
function committed(mails: readonly Buffer[]): readonly (string | undefined)[] {
	const names = mails.map((_, at) => `m${String(at).padStart(4, '0')}`);
	const script = `
		git init -q tree
		cd tree
		git config user.name X && git config user.email x@forge.test
		git commit -q --allow-empty -m start && git tag start
		for mail in ../m*; do
			git reset -q --hard start
			if git am -q "$mail" >/dev/null 2>&1; then git log -1 --format='%an%n%B' >"$mail.made"; else git am --abort; fi
		done`;
	const [result] = runCases(script, [Object.fromEntries(mails.map((mail, at) => [names[at]!, mail]))]);
	return names.map((name) => result?.file(`${name}.made`)?.toString().trimEnd());
}

suite('charsets in git commits', function () {
	this.timeout(600_000);

	testInBoth('author, subject and message match the commit, or the page reports a difference', async () => {
		const { tally, silent } = await compared('Charsets against git am');
		assert.deepEqual(silent, []);
		assert.ok(tally.same > (tally.same + tally.told) / 3, JSON.stringify(tally));
	});

	testInBoth('a platform without charset tables hides no difference', async () => {
		const platform = globalThis.TextDecoder;
		globalThis.TextDecoder = class extends platform {
			override decode(bytes?: Uint8Array, options?: TextDecodeOptions): string {
				const text = super.decode(bytes, options);
				return /^(?:utf|windows-1252)/.test(this.encoding) ? text : text.replaceAll(/[^\0-\x7f]/g, '?');
			}
		};
		try {
			const { silent } = await compared('Charsets against git am, on a platform without tables');
			assert.deepEqual(silent, []);
		} finally {
			globalThis.TextDecoder = platform;
		}
	});

	async function compared(title: string) {
		const step = Math.ceil(inputs.length / counts({ least: 30, first: 30, small: 100, full: inputs.length }));
		const some = inputs.filter((_, at) => at % step === 0);
		const mails = some.map(mailOf);
		const commits = committed(mails);
		const tally = { same: 0, told: 0 };
		const silent: unknown[] = [];
		for (const [at, input] of some.entries()) {
			const reading = await readMail(mailText(mails[at]!).replaceAll('\n', '\r\n'), { evenIfLarge: true });
			const patch = patchMailOf(reading, reading.kind === 'read' ? reading.mail.subject : '');
			assert.ok(reading.kind === 'read' && patch, JSON.stringify(input));
			const text = [patch.author?.name, patch.subject, '', patch.message.trim()].join('\n');
			const isTold =
				reading.mail.doubts.length > 0 || patch.gitMessage !== undefined || !commitsName(patch.author?.name);
			if (text === commits[at]) {
				tally.same += 1;
			} else if (isTold) {
				tally.told += 1;
			} else {
				silent.push({ ...input, text, commit: commits[at] });
			}
		}
		keepProofTable(title, [
			['mails', 'same', 'different, said', 'different, silent'],
			[some.length, tally.same, tally.told, silent.length],
		]);
		return { tally, silent };
	}
});
