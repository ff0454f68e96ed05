import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readMail } from '../../src/mail/readMail.ts';
import { patchMailOf } from '../../src/series/patchMail.ts';
import type { PatchMail } from '../../src/series/seriesReading.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { gitIn } from '../../../../test/support/patchMakerGit.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

/** Pseudo-random numbers, the same for the same seed. */
function numbers(from: number): (below: number) => number {
	let state = Math.max(from, 1);
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const authors = [
	['Bob Builder', 'bob@forge.test'],
	['R. Iyer', 'riyer@outside.test'],
	['Jörg Müller', 'joerg@forge.test'],
	['中村 花子', 'hanako@outside.test'],
	['Someone, Inc.', 'some.one+tag@outside.test'],
	['A name (with a remark)', 'remark@outside.test'],
	['Somebody with a name that is so long that a header has to be folded for it', 'long@outside.test'],
] as const;

const subjects = [
	'tidy: less of it',
	'a subject that is so long that it will be folded by the program that writes it, and even twice, I should think',
	'größe: Umlaute und – Striche',
	'[area] brackets of its own',
	'Re: this is no answer',
	'colons: everywhere: here',
	'日本語の件名はここに長く続いて、それから折り返されるまで書かれています',
	'trailing words   and   blanks',
];

const paragraphs = [
	'Because it has to be.',
	'Two lines\nof text.',
	'Größer und — anders.',
	'From: Nobody <nobody@outside.test>',
	'Subject: a line that looks like a header',
	'>From the beginning',
	'--- is not a line of its own',
	'-- >8 -- no scissors -- >8 --',
	'diffs are nice',
	'    indented\n\ttabbed',
	'Fixes: https://todo.forge.test/~alice/lantern/3\nReviewed-by: Dave Okafor <dave@forge.test>',
	'\n\nblank lines above',
];

const formats = [
	['--subject-prefix=PATCH lantern'],
	['-v3', '--from=Carol Nakamura <carol@forge.test>'],
	['--signoff', '--numbered', '--base=first'],
	['--no-encode-email-headers', '--from=Carol Nakamura <carol@forge.test>', '--no-signature'],
	['--attach'],
	['--inline', '--keep-subject'],
	['--no-stat', '--notes', '--rfc'],
];

interface ToldMail {
	readonly mail: string;
	readonly author: string;
	readonly address: string;
	readonly subject: string;
	readonly message: string;
	readonly patch: string;
}

suite('patch mails compared with git', function () {
	this.timeout(300_000);
	const directory = mkdtempSync(path.join(tmpdir(), 'forge-desk-mails-'));

	suiteTeardown(() => rmSync(directory, { recursive: true, force: true }));

	function makeHistory(count: number): void {
		const random = numbers(seed());
		const one = <T>(from: readonly T[]): T => from[random(from.length)]!;
		const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
		const committer = 'committer Carol Nakamura <carol@forge.test> 1700000000 +0000';
		const file = (name: string, text: string): string => `M 100644 inline ${JSON.stringify(name)}\n${data(text)}`;
		const parts = [
			`commit refs/heads/main\nmark :1\n${committer}\n${data('first\n')}${file('a.txt', 'one\ntwo\nthree\n')}\n`,
			'reset refs/tags/first\nfrom :1\n\n',
		];
		for (let at = 0; at < count; at++) {
			const [name, address] = one(authors);
			const body = Array.from({ length: random(4) }, () => one(paragraphs)).join('\n\n');
			const changed = file(one(['a.txt', 'b.txt', 'ü c.txt']), `one\n${at}\n--- three\n${random(99)}`);
			const message = data(`${one(subjects)}\n\n${body}\n`);
			const author = `author ${name} <${address}> 1700000000 +0100`;
			parts.push(`commit refs/heads/main\nmark :${at + 2}\n${author}\n${committer}\n${message}${changed}\n`);
			if (at % 5 === 0) {
				const note = `N inline :${at + 2}\n${data('A note of this commit.\n')}`;
				parts.push(`commit refs/notes/commits\n${committer}\n${data('A note\n')}${note}\n`);
			}
		}
		gitIn(directory, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
		gitIn(directory, ['fast-import', '--quiet'], parts.join(''));
	}

	/** The mails of each format with git’s reading. */
	function readByGit(): readonly (readonly ToldMail[])[] {
		const identity = ['-c', 'user.name=Carol Nakamura', '-c', 'user.email=carol@forge.test'];
		const boxes = formats.map((args) =>
			gitIn(directory, [...identity, 'format-patch', '--stdout', ...args, 'first..main']),
		);
		const script = `
			git mailsplit -o. box
			for mail in 0*; do git mailinfo -u "$mail.message" "$mail.patch" <"$mail" >"$mail.info" || exit 1; done`;
		return runCases(
			script,
			boxes.map((box) => ({ box })),
		).map(({ status, stdout, file }) => {
			assert.equal(status, 0);
			return Array.from({ length: Number(stdout.toString()) }, (_, at) => {
				const name = String(at + 1).padStart(4, '0');
				const text = (suffix: string): string => file(`${name}${suffix}`)?.toString() ?? '';
				const field = (key: string): string => new RegExp(`^${key}: (.*)$`, 'm').exec(text('.info'))?.[1] ?? '';
				return {
					mail: text(''),
					author: field('Author'),
					address: field('Email'),
					subject: field('Subject'),
					message: text('.message'),
					patch: text('.patch'),
				};
			});
		});
	}

	/** Git uses the address if a name is very long or looks like an address. */
	function nameInGit(author: PatchMail['author']): string {
		const { name = '', address = '' } = author ?? {};
		return name === '' || new TextEncoder().encode(name).length > 60 || /[@<>]/.test(name) ? address : name;
	}

	testInBoth('author, subject, message and diff agree with git mailinfo in every format', async () => {
		makeHistory(counts({ first: 8, small: 24, full: 200 }));
		let read = 0;
		for (const mails of readByGit()) {
			for (const { mail, ...told } of mails) {
				const reading = await readMail(mail, { evenIfLarge: true });
				assert.equal(reading.kind, 'read');
				const subject = reading.kind === 'read' ? reading.mail.subject : '';
				const patch = patchMailOf(reading, subject);
				assert.ok(patch, mail);
				assert.deepEqual(
					{
						author: nameInGit(patch.author),
						address: patch.author?.address,
						subject: patch.subject,
						message: patch.message,
					},
					{
						author: told.author,
						address: told.address,
						subject: told.subject,
						message: told.message.replace(/^\s*\n/, '').trimEnd(),
					},
					mail,
				);
				assert.ok(told.patch.includes(patch.diffText.slice(patch.diff.start, patch.diff.end)), mail);
				read += 1;
			}
		}
		assert.equal(read, formats.length * counts({ first: 8, small: 24, full: 200 }));
	});
});
