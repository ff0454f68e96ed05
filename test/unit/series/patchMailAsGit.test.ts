import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readMail } from '../../../src/mail/readMail.ts';
import { patchMailOf } from '../../../src/series/patchMail.ts';
import type { PatchMail } from '../../../src/series/seriesReading.ts';
import { counts, seed } from '../../support/counts.ts';

const environment = {
	...process.env,
	GIT_CONFIG_GLOBAL: '/dev/null',
	GIT_CONFIG_SYSTEM: '/dev/null',
	GIT_AUTHOR_NAME: 'Carol Nakamura',
	GIT_AUTHOR_EMAIL: 'carol@forge.test',
	GIT_COMMITTER_NAME: 'Carol Nakamura',
	GIT_COMMITTER_EMAIL: 'carol@forge.test',
};

/** Numbers that look random and are the same for the same seed. */
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

interface Told {
	readonly author: string;
	readonly address: string;
	readonly subject: string;
	readonly message: string;
	readonly patch: string;
}

suite('patch mails as git reads them', function () {
	this.timeout(300_000);
	const directory = mkdtempSync(path.join(tmpdir(), 'forge-desk-mails-'));
	const git = (args: readonly string[], input?: string, env: NodeJS.ProcessEnv = {}): string =>
		execFileSync('git', args, {
			cwd: directory,
			input,
			encoding: 'utf8',
			maxBuffer: 1e9,
			env: { ...environment, ...env },
		});

	suiteTeardown(() => rmSync(directory, { recursive: true, force: true }));

	function makeHistory(count: number): void {
		const random = numbers(seed());
		const one = <T>(from: readonly T[]): T => from[random(from.length)]!;
		git(['init', '-q', '-b', 'main']);
		writeFileSync(path.join(directory, 'a.txt'), 'one\ntwo\nthree\n');
		git(['add', '.']);
		git(['commit', '-q', '-m', 'first']);
		git(['tag', 'first']);
		for (let at = 0; at < count; at++) {
			const [name, address] = one(authors);
			const body = Array.from({ length: random(4) }, () => one(paragraphs)).join('\n\n');
			writeFileSync(path.join(directory, one(['a.txt', 'b.txt', 'ü c.txt'])), `one\n${at}\n--- three\n${random(99)}`);
			git(['add', '.']);
			git(['commit', '-q', '--cleanup=verbatim', '-F', '-'], `${one(subjects)}\n\n${body}\n`, {
				GIT_AUTHOR_NAME: name,
				GIT_AUTHOR_EMAIL: address,
			});
			if (at % 5 === 0) {
				git(['notes', 'add', '-m', 'A note of this commit.']);
			}
		}
	}

	function mailsOf(args: readonly string[], at: number): readonly string[] {
		const box = path.join(directory, `box${at}`);
		const mails = path.join(directory, `mails${at}`);
		writeFileSync(box, git(['format-patch', '--stdout', ...args, 'first..main']));
		git(['init', '-q', mails]);
		git(['mailsplit', `-o${mails}`, box]);
		return readdirSync(mails)
			.filter((name) => /^\d+$/.test(name))
			.toSorted()
			.map((name) => readFileSync(path.join(mails, name), 'utf8'));
	}

	function toldByGit(mail: string): Told {
		const info = git(['mailinfo', '-u', 'message', 'patch'], mail);
		const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(info)?.[1] ?? '';
		return {
			author: field('Author'),
			address: field('Email'),
			subject: field('Subject'),
			message: readFileSync(path.join(directory, 'message'), 'utf8'),
			patch: readFileSync(path.join(directory, 'patch'), 'utf8'),
		};
	}

	/** Git writes an address for a name that is very long or looks like one. */
	function nameInGit(author: PatchMail['author']): string {
		const { name = '', address = '' } = author ?? {};
		return name === '' || new TextEncoder().encode(name).length > 60 || /[@<>]/.test(name) ? address : name;
	}

	test('author, subject, message and diff agree with git mailinfo, however the mails were written', async () => {
		makeHistory(counts({ small: 24, full: 200 }));
		let read = 0;
		for (const [at, args] of formats.entries()) {
			for (const mail of mailsOf(args, at)) {
				const told = toldByGit(mail);
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
		assert.equal(read, formats.length * counts({ small: 24, full: 200 }));
	});
});
