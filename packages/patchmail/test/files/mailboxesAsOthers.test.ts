import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { mailsOf } from 'patchmail/files/readMailbox.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { createRandom } from '../../../../test/support/random.ts';

/** A mailbox in one of the forms, and why other programs read it in another way. Bytes are Latin-1 text. */
interface Made {
	/** By name; a single file is `box`. */
	readonly files: Readonly<Record<string, string>>;
	/** For us. Missing: the original mails. */
	readonly expected?: readonly string[];
	/** The mailbox for programs without gzip. */
	readonly plain?: string;
	readonly git: Rule;
	readonly python: Rule;
}

/** `theirs`: their mails, made of our bytes. */
interface Rule {
	readonly words: string;
	readonly theirs: 'refused' | readonly string[];
}

const random = createRandom(seed());
const separator = 'From alice@example.org Tue May  5 10:20:30 2026\n';

const lines = [
	'From here on, see below:',
	'From my desk at 10:30 of 2026',
	'>From a quote',
	'>>From deeper',
	'',
	'Text with \0 and \xe9',
	' indented',
	'x'.repeat(3000),
	'Not-a: field',
	'\x01\x01\x01',
	'@@ -1 +1 @@',
] as const;

function mailOf(at: number, more: readonly string[] = []): string {
	const body = Array.from({ length: random.below(8) }, () => random.pick([lines[0], ...lines.slice(1), ...more]));
	const head = [
		`From: A <a@example.org>`,
		`Subject: ${at}`,
		`Message-ID: <${at}@x>`,
		'Date: Tue, 5 May 2026 10:20:30 +0000',
	];
	return [...head, '', `Mail ${at}`, ...body, ''].join('\n');
}

const mailsOfBox = (more: readonly string[] = []): readonly string[] =>
	Array.from({ length: 1 + random.below(6) }, (_, at) => mailOf(at, more));
const headOf = (mail: string): string => mail.slice(0, mail.indexOf('\n\n') + 2);
const bodyOf = (mail: string): string => mail.slice(headOf(mail).length);
const quoted = (mail: string, pattern: RegExp): string => headOf(mail) + bodyOf(mail).replaceAll(pattern, '>$&');
const unquoted = (mail: string): string => headOf(mail) + bodyOf(mail).replaceAll(/^>(>*From )/gm, '$1');

/** As git: the last colon of the line is in a time, and a year above 90 is behind it. */
function isGitLine(line: string): boolean {
	const [, year] = /^From .*\d.\d\d:\d\d([^:]*)$/s.exec(line) ?? [];
	return line.length >= 20 && Number.parseInt(year ?? '', 10) > 90;
}

/** Other programs begin a mail at each such line. `keepsEmpty`: the empty line before it belongs to the mail. */
function splitAt(mails: readonly string[], begins: (line: string) => boolean, keepsEmpty: boolean): readonly string[] {
	return mails.flatMap((mail) => {
		const found = [''];
		for (const line of mail.split(/(?<=\n)/)) {
			if (begins(line)) {
				found.push('');
			} else {
				found.push(`${found.pop()}${line}`);
			}
		}
		return found.map((each, at) =>
			keepsEmpty || at === found.length - 1 ? each : each.replace(/^\n$|(?<=\n)\n$/, ''),
		);
	});
}

const behindEach = (mails: readonly string[], text: string): readonly string[] => mails.map((mail) => mail + text);
const isFromLine = (line: string): boolean => line.startsWith('From ');
const same = 'The mails are equal.';
const gitEmptyLine = 'Git leaves the empty line behind a mail.';
const pythonQuotes = 'Python leaves the quotes.';
const pythonSplits = 'Python begins a mail at each line with `From `.';
const refusedByGit = (words: string): Rule => ({ words, theirs: 'refused' });

/** An mbox with plain separators. */
function mboxOf(mails: readonly string[], empty = '\n'): string {
	return mails.map((mail) => `${separator}${mail}${empty}`).join('');
}

const forms: Readonly<Record<string, () => Made>> = {
	mboxo() {
		const written = mailsOfBox().map((mail) => quoted(mail, /^From /gm));
		return {
			files: { box: mboxOf(written) },
			expected: written.map(unquoted),
			git: { words: `${gitEmptyLine} It leaves the quotes without --mboxrd.`, theirs: behindEach(written, '\n') },
			python: { words: pythonQuotes, theirs: written },
		};
	},
	mboxrd() {
		const mails = mailsOfBox();
		const written = mails.map((mail) => quoted(mail, /^>*From /gm));
		const start = random.pick(['', '', '\n\n', ' \n']);
		return {
			files: { box: start + mboxOf(written) },
			expected: mails,
			git: { words: `${gitEmptyLine} It leaves the quotes without --mboxrd.`, theirs: behindEach(written, '\n') },
			python: { words: pythonQuotes, theirs: written },
		};
	},
	'mboxrd of Windows'() {
		const mails = mailsOfBox().map((mail) => mail.replaceAll('\n', '\r\n'));
		const written = mails.map((mail) => mail.replaceAll(/^>*From /gm, '>$&'));
		return {
			files: { box: written.map((mail) => `${separator.replace('\n', '\r\n')}${mail}\r\n`).join('') },
			expected: mails,
			git: { words: `${gitEmptyLine} With --keep-cr, it leaves line ends.`, theirs: behindEach(written, '\r\n') },
			python: {
				words: 'Python knows no empty line with CR LF, so it leaves that line.',
				theirs: behindEach(written, '\r\n'),
			},
		};
	},
	'mbox without empty lines'() {
		const written = mailsOfBox().map((mail) => quoted(`${mail}end\n`, /^>*From /gm));
		return {
			files: { box: mboxOf(written, '') },
			expected: written.map(unquoted),
			git: { words: same, theirs: written },
			python: { words: pythonQuotes, theirs: written },
		};
	},
	mboxcl() {
		const written = mailsOfBox().map((mail) => counted(quoted(mail, /^>*From /gm)));
		return {
			files: { box: mboxOf(written) },
			expected: written.map(unquoted),
			git: { words: gitEmptyLine, theirs: behindEach(written, '\n') },
			python: { words: pythonQuotes, theirs: written },
		};
	},
	mboxcl2() {
		const inside = `${separator}Subject: inside\n\nText`;
		const mails = mailsOfBox([inside, inside]).map(counted);
		return {
			files: { box: mboxOf(mails) },
			expected: mails.map((mail) => (/^From /m.test(bodyOf(mail)) ? mail : unquoted(mail))),
			git: {
				words: 'Git ignores Content-Length, so it splits a mail that contains a separator.',
				theirs: behindEach(mails, '\n').flatMap((mail) => splitAt([mail], isGitLine, true)),
			},
			python: {
				words: `${pythonSplits} It ignores Content-Length.`,
				theirs: splitAt(mails, isFromLine, false),
			},
		};
	},
	'mbox.gz, of two members'() {
		const { files, expected = [], git, python } = forms['mboxrd']?.() ?? assert.fail();
		const box = files['box'] ?? '';
		const cut = random.below(box.length);
		const packed = [box.slice(0, cut), box.slice(cut)].map((part) => gzipSync(Buffer.from(part, 'latin1')));
		return { files: { box: Buffer.concat(packed).toString('latin1') }, expected, plain: box, git, python };
	},
	MMDF() {
		const mails = mailsOfBox();
		const line = '\x01\x01\x01\x01\n';
		const hasFrom = random.below(2) === 0;
		const from = hasFrom ? separator : '';
		return {
			files: { box: mails.map((mail) => `${line}${from}${mail}\n${line}`).join('') },
			expected: mails,
			git: refusedByGit('Git knows no MMDF.'),
			python: hasFrom
				? { words: same, theirs: mails }
				: {
						words: 'Python takes the first line of a mail for a separator.',
						theirs: mails.map((mail) => mail.replace(/^.*\n/, '')),
					},
		};
	},
	eml() {
		const mail = mailOf(0);
		const [start, mark] = random.pick([
			['', ''],
			['\n', ''],
			['', '\xef\xbb\xbf'],
		]);
		return {
			files: { box: start + mark + mail },
			expected: [mail],
			git: { words: 'Git needs -b, and leaves a byte order mark.', theirs: [mark + mail] },
			python: {
				words: `${pythonSplits} It drops all before.`,
				theirs: splitAt([mail.replace(/(?<=\n)\n$/, '')], isFromLine, false).slice(1),
			},
		};
	},
	'git format-patch'() {
		const line = `From ${'0123456789abcdef'.repeat(3).slice(0, 40)} Mon Sep 17 00:00:00 2001\n`;
		const mails = mailsOfBox();
		return {
			files: { box: mails.map((mail) => `${line}${mail}\n`).join('') },
			expected: mails,
			git: { words: gitEmptyLine, theirs: behindEach(mails, '\n') },
			python: { words: pythonSplits, theirs: splitAt(mails, isFromLine, false) },
		};
	},
	exporter() {
		const lines = [
			['From \n', 'From -\n', 'From - \n'],
			['From alice@example.org\n', 'From bob@example.org 2026-05-05\n'],
			['From alice@example.org 2026-05-05T10:20:30Z\n', 'From alice@example.org Tue, 5 May 2026 10:20:30 +0200\n'],
			[
				'From alice Tue May  5 10:20:30 26\n',
				'From - Tue May 05 10:20:30 +0000 2026\n',
				'From a at x  Tue May  5 10:20:30 CEST 2026\n',
			],
		] as const;
		const kind = random.pick([lines[0], ...lines.slice(1)]);
		const mails = mailsOfBox();
		const written = mails.map((mail) => quoted(mail, /^>*From /gm));
		return {
			files: { box: written.map((mail, at) => `${kind[at % kind.length]}${mail}\n`).join('') },
			expected: mails,
			git: {
				words: 'Git begins a mail only at a line that ends in a time and a number above 90.',
				theirs: isGitLine(kind[0])
					? splitAt([written.map((mail, at) => `${kind[at % kind.length]}${mail}\n`).join('')], isGitLine, true).slice(
							1,
						)
					: 'refused',
			},
			python: { words: pythonQuotes, theirs: written },
		};
	},
	'mbox with a byte order mark'() {
		const written = mailsOfBox().map((mail) => quoted(mail, /^>*From /gm));
		return {
			files: { box: `\xef\xbb\xbf${mboxOf(written)}` },
			expected: written.map(unquoted),
			git: refusedByGit('Git takes a byte order mark for text.'),
			python: { words: 'Python loses the first mail.', theirs: written.slice(1) },
		};
	},
	'mbox with CR alone'() {
		const mails = mailsOfBox();
		const box = mboxOf(mails.map((mail) => quoted(mail, /^>*From /gm))).replaceAll('\n', '\r');
		return {
			files: { box },
			expected: mails,
			git: { words: 'Git sees a single line.', theirs: isGitLine(box) ? [''] : 'refused' },
			python: { words: 'Python sees a single line.', theirs: [''] },
		};
	},
	'mbox that is cut off'() {
		const written = mailsOfBox().map((mail) => quoted(mail, /^>*From /gm));
		const last = written.at(-1) ?? '';
		const rest = last.slice(0, headOf(last).length + random.below(bodyOf(last).length));
		const before = written.slice(0, -1);
		const end = rest.replace(/(?<=\n)\n$/, '');
		return {
			files: { box: mboxOf(before) + separator + rest },
			expected: [...before, end].map(unquoted),
			git: { words: gitEmptyLine, theirs: [...behindEach(before, '\n'), rest] },
			python: { words: pythonQuotes, theirs: [...before, end] },
		};
	},
	maildir() {
		const mails = mailsOfBox();
		const files = Object.fromEntries(
			mails.map((mail, at) => [`${at % 2 === 0 ? 'cur' : 'new'}/${at}.host${at % 2 === 0 ? ':2,S' : ''}`, mail]),
		);
		return { files, expected: mails, git: { words: same, theirs: mails }, python: { words: same, theirs: mails } };
	},
	'folder of messages'() {
		const mails = mailsOfBox();
		const files = Object.fromEntries(mails.map((mail, at) => [`${at}.eml`, mail]));
		return {
			files: { ...files, 'notes.txt': 'no mail', '.hidden.eml': mailOf(99) },
			expected: mails,
			git: { words: 'Git finds mails in the folders of a maildir only.', theirs: [] },
			python: { words: 'Python has no class for such a folder.', theirs: 'refused' },
		};
	},
	MH() {
		const mails = mailsOfBox();
		const files = Object.fromEntries(mails.map((mail, at) => [`${at + 1}`, mail]));
		return {
			files: { ...files, ',1': mailOf(99), '.mh_sequences': 'unseen: 1\n' },
			expected: mails,
			git: { words: 'Git finds mails in the folders of a maildir only.', theirs: [] },
			python: { words: same, theirs: mails },
		};
	},
};

function counted(mail: string): string {
	return mail.replace('\n\n', `\nContent-Length: ${bodyOf(mail).length}\n\n`);
}

/** Reads all boxes in one process. Git and Python know no gzip, so they get `plain`. */
const gitScript = `
for box in *; do
	mkdir "$box.git"
	git mailsplit --keep-cr $(cat "$box/options") -o"$box.git" "$box/plain" >/dev/null 2>&1 || touch "$box.git/refused"
done`;
const pythonScript = `
import json, mailbox, sys
kinds = {'mbox': mailbox.mbox, 'mmdf': mailbox.MMDF, 'maildir': mailbox.Maildir, 'mh': mailbox.MH}
for kind, path in json.load(sys.stdin):
    box = kinds[kind](path, create=False)
    print(json.dumps([box.get_bytes(key).decode('latin1') for key in sorted(box.keys(), key=lambda key: int(str(key).split('.')[0]))]))`;

const kindOf: Readonly<Record<string, string>> = { MMDF: 'mmdf', maildir: 'maildir', MH: 'mh' };

suite('mailboxes of all forms', function () {
	this.timeout(600_000);
	let folder: string;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'mailboxes-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	function write(made: Made, name: string, form: string): string {
		const path = join(folder, name);
		const [ours, plain] = [join(path, 'ours'), join(path, 'plain')];
		['', 'ours/cur', 'ours/new', 'plain/cur', 'plain/new'].forEach((each) => {
			if (each === '' || form === 'maildir') {
				mkdirSync(join(path, each), { recursive: true });
			}
		});
		for (const [file, content] of Object.entries(made.files)) {
			if (file === 'box') {
				writeFileSync(ours, content, 'latin1');
				writeFileSync(plain, made.plain ?? content, 'latin1');
			} else {
				mkdirSync(ours, { recursive: true });
				mkdirSync(plain, { recursive: true });
				writeFileSync(join(ours, file), content, 'latin1');
				writeFileSync(join(plain, file), content, 'latin1');
			}
		}
		writeFileSync(join(path, 'options'), form === 'eml' ? '-b' : '');
		return path;
	}

	async function read(place: string | Uint8Array): Promise<readonly string[]> {
		const mails: string[] = [];
		for await (const mail of mailsOf(place, new AbortController().signal)) {
			mails.push(Buffer.from(mail).toString('latin1'));
		}
		return mails;
	}

	testInBoth('give the mails of git and Python, except for the listed differences', async () => {
		const names = Object.keys(forms);
		const all = Array.from({ length: counts({ first: 2 * names.length, small: 400, full: 4000 }) }, (_, at) => {
			const form = names[at % names.length] ?? '';
			const made = forms[form]?.() ?? assert.fail();
			return { form, made, path: write(made, String(at), form) };
		});
		execFileSync('sh', ['-c', gitScript], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
		const asked = all.filter(({ made }) => made.python.theirs !== 'refused');
		const output = execFileSync('python3', ['-c', pythonScript], {
			input: JSON.stringify(asked.map(({ form, path }) => [kindOf[form] ?? 'mbox', join(path, 'plain')])),
			maxBuffer: 2 ** 30,
		});
		const pythons = output
			.toString()
			.trimEnd()
			.split('\n')
			.map((line): unknown => JSON.parse(line));
		for (const [
			at,
			{
				made: { python },
				form,
			},
		] of asked.entries()) {
			assert.deepEqual(pythons[at], python.theirs, `${form} in Python: ${python.words}`);
		}
		for (const [at, { form, made, path }] of all.entries()) {
			const about = `mailbox ${at}, ${form}`;
			const ours = await read(join(path, 'ours'));
			const inOrder = made.files['box'] === undefined ? ours.toSorted() : ours;
			assert.deepEqual(inOrder, made.files['box'] === undefined ? made.expected?.toSorted() : made.expected, about);
			if (made.files['box'] !== undefined) {
				assert.deepEqual(await read(readFileSync(join(path, 'ours'))), ours, about);
			}
			const git = `${path}.git`;
			const split = readdirSync(git).toSorted();
			const theirs = split.map((name) => readFileSync(join(git, name), 'latin1').replace(/^From [^\n]*\n?/, ''));
			if (made.git.theirs === 'refused') {
				assert.ok(split.includes('refused'), `${about} in git: ${made.git.words}`);
			} else {
				assert.deepEqual(theirs.toSorted(), [...made.git.theirs].toSorted(), `${about} in git: ${made.git.words}`);
			}
		}
	});
});
