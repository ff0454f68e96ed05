import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { mailFile, mailForGit, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { editedPatch } from 'patchmail/review/editedPatch.ts';
import { reviewMailText } from 'patchmail/review/editedMail.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { outgoingSeries } from 'patchmail/series/outgoingSeries.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { sendProblems } from 'patchmail/series/sendChecks.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import { patchesOf } from '../../../../../src/features/patches/submit/commitMails.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { fake } from '../../../../support/fake.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { readerHere } from '../../../../support/mailStores.ts';
import { createRandom } from '../../../../support/random.ts';

const never = new AbortController().signal;
const from = { name: 'Alice Archer', address: 'alice@forge.test' };

/** Lines that mails, charsets or servers have changed before. */
const lines: readonly [string, ...string[]] = [
	'one\r\n',
	'two\r\n',
	'\f\n',
	'chapter\f\n',
	'\u001B[31mred\u001B[0m\n',
	'caf\u00E9\n',
	'\u00DCber\r\n',
	Buffer.from('größer\n').toString('latin1'),
	Buffer.from('日本\n').toString('latin1'),
	'From nobody Mon Sep 17 00:00:00 2001\n',
	'.\n',
	'ends in blanks  \t\n',
	`${'long '.repeat(300)}\n`,
	'\u0007\u007F\u0085\n',
	'lone\rreturn\n',
	'=3D=\n',
	'\n',
	'--- a\n',
	'diff --git a/x b/x\n',
];

const messages: readonly [string, ...string[]] = [
	'Write it',
	'Write it\n\nBecause.\n\nSigned-off-by: Alice <alice@forge.test>',
	'Schöner schreiben\n\nÄ und Ö.\n\n日本',
	'Write\n\nFrom here on.',
];

suite('patches of commits with bytes of every kind', function () {
	this.timeout(600_000);
	let machine: TestMachine;
	let root: string;
	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();

	setup(() => {
		machine = testMachine();
		root = join(realpathSync(machine.folder), 'quill');
		machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'quill');
	});
	teardown(() => machine.remove());

	/** Commits files, one character per byte, in one process of git. */
	function commit(
		all: readonly { readonly message: string; readonly files: Readonly<Record<string, string>> }[],
	): void {
		const parts = all.map(({ message, files }, at) => {
			const who = `Alice Archer <alice@forge.test> ${1_700_000_000 + at} +0000`;
			const text = Buffer.from(`${message}\n`);
			const head = `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata ${text.length}\n`;
			const changes = Object.entries(files).map(
				([path, file]) => `M 100644 inline ${path}\ndata ${file.length}\n${file}\n`,
			);
			return `${head}${text.toString('latin1')}${changes.join('')}\n`;
		});
		machine.feed(root, Buffer.from(parts.join(''), 'latin1'), 'fast-import', '--quiet');
	}

	async function madeOf(base: string) {
		const source = { root, base, tip: git('rev-parse', 'main'), tag: 'PATCH', from };
		const context = fake<ListsContext>({ git: machine.git, mailReader: readerHere });
		const { commits, patches } = await patchesOf(context, source, true, never);
		const people = { from, to: [{ name: '', address: 'list@forge.test' }], cc: [] };
		const messageIds = patches.map(({ commit: id }) => `<${id}@forge.test>`);
		const written = patches.flatMap(({ read }) => read?.patch ?? []);
		const mails = outgoingSeries({ ...people, tag: 'PATCH', cover: undefined, messageIds }, written);
		const problems = sendProblems({
			cover: undefined,
			commits,
			patches: patches.map(({ commit: id, read }) => ({
				commit: id,
				subject: read?.patch.subject,
				patch: read && patchMailOf({ kind: 'read', mail: read.mail }, read.patch.subject),
			})),
			others: [],
			history: [],
			uncommitted: 0,
		});
		return { mails, problems };
	}

	/** Trees and messages of the commits that git makes of a mailbox. */
	function appliedAt(base: string, mailbox: Uint8Array, ...options: readonly string[]): string {
		git('checkout', '-q', '-f', '-B', 'applied', base);
		try {
			machine.feed(root, mailbox, 'am', '-q', ...options);
		} catch (error) {
			machine.try(root, 'am', '--abort');
			throw error;
		}
		return git('log', '--format=%T %an <%ae>%n%B', `${base}..applied`);
	}

	const sent = (mails: readonly OutgoingMail[]): Uint8Array => mailboxOf(mails.map((mail) => mailFile(mail, 0)));

	/** The file that `git send-email` gets. */
	const handed = (mails: readonly OutgoingMail[]): Uint8Array =>
		mailboxOf(mails.map((mail) => `From: ${mailForGit(mail)?.from}\n${mailForGit(mail)?.source}`));

	test('become the same commits as the patches of git itself', async () => {
		const random = createRandom(seed());
		const history = Array.from({ length: counts({ small: 40, full: 400 }) }, (_, at) => {
			const count = 1 + random.below(6);
			const file = (): string => Array.from({ length: count }, () => random.pick(lines)).join('');
			const end = random.below(4) === 0 ? 'no end' : '';
			return {
				message: random.pick(messages),
				files: { [`f${random.below(3)}`]: `${file()}${end}`, count: `${at}\n` },
			};
		});
		commit(history);
		const ids = git('rev-list', '--reverse', 'main').split('\n');
		const [base = ''] = ids;
		for (let start = 0; start + 1 < ids.length; start += 40) {
			const before = ids[start] ?? base;
			git('update-ref', 'refs/heads/main', ids[Math.min(start + 40, ids.length - 1)] ?? '');
			const { mails, problems } = await madeOf(before);
			assert.deepEqual(
				problems.filter(({ kind }) => kind !== 'trailingBlanks' && kind !== 'noSignOff'),
				[],
			);
			// As bytes: the output has all charsets. Git strips carriage returns unless they are encoded.
			const raw = machine.script(root, `git format-patch --stdout ${before}..main | base64`);
			const theirs = appliedAt(before, Buffer.from(raw, 'base64'), '--keep-cr');
			assert.equal(theirs, git('log', '--format=%T %an <%ae>%n%B', `${before}..main`));
			assert.equal(appliedAt(before, sent(mails)), theirs);
			assert.equal(appliedAt(before, handed(mails)), theirs);
		}
	});

	test('travel as text, unless that loses bytes', async () => {
		commit([
			{ message: 'Begin', files: { a: 'one\n' } },
			{ message: 'Plain', files: { a: 'one\ntwo\n' } },
			{ message: 'Umlaut', files: { a: Buffer.from('one\ntwö\n').toString('latin1') } },
			{ message: 'Windows', files: { a: 'one\r\n' } },
			{ message: 'Latin', files: { a: 'caf\u00E9\n' } },
		]);
		const { mails } = await madeOf(git('rev-parse', 'main~4'));
		assert.deepEqual(
			mails.map((mail) => [mail.bytes === undefined, mailForGit(mail)?.encoding]),
			[
				[true, '7bit'],
				[true, 'quoted-printable'],
				[false, 'quoted-printable'],
				[false, 'quoted-printable'],
			],
		);
		assert.match(mailForGit(mails[2]!)?.source ?? '', /^\+one=0D$/m);
		assert.match(mailForGit(mails[3]!)?.source ?? '', /^\+caf=E9$/m);
	});

	test('keep their bytes when a person edits the message', async () => {
		commit([
			{ message: 'Begin', files: { a: 'one\n' } },
			{ message: 'Windows', files: { a: 'one\r\nlone\rreturn \u000C\n' } },
			{ message: 'Latin', files: { a: 'caf\u00E9\n' } },
		]);
		const base = git('rev-parse', 'main~2');
		const { mails } = await madeOf(base);
		const edited = mails.map((mail) =>
			editedPatch(reviewMailText(mail).replace('\n\n---\n', '\n\nBecause of ä.\n---\n'), mail),
		);
		const read = edited.map((each) => ('kind' in each ? assert.fail(each.kind) : each));
		const made = appliedAt(base, sent(read));
		assert.match(made, /Because of ä\.\n[^]*Because of ä\./);
		assert.equal(git('rev-parse', 'applied^{tree}'), git('rev-parse', 'main^{tree}'));
		const other = editedPatch(reviewMailText(mails[1]!).replace('\n-one', '\n-two'), mails[1]!);
		assert.deepEqual(other, { kind: 'changedDiff' });
	});

	const told: readonly (readonly [message: string, kinds: readonly string[]])[] = [
		['[draft] Write it', ['otherMessage']],
		['Write it\n\nOne.\n---\nTwo.', ['otherMessage']],
		['Write it\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b', ['otherMessage']],
		['Write it\n\nFrom: Bob <bob@forge.test>\n\nThis.', ['otherMessage', 'otherAuthor']],
		['Write it\n\nSubject: Another\n\nThis.', ['otherMessage']],
		['Write it\n\n  diff --git a/x b/x', []],
		['Write it\n\nIndex: one two', ['otherMessage']],
		['A title\nof two lines\n\nBody.', []],
		['Write it\n\n\u000CNew page', []],
	];
	for (const [message, kinds] of told) {
		test(`report ${JSON.stringify(message)} exactly if git am changes it`, async () => {
			commit([
				{ message: 'Begin', files: { a: 'one\n' } },
				{ message, files: { a: 'two\n' } },
			]);
			const base = git('rev-parse', 'main~1');
			const { mails, problems } = await madeOf(base);
			assert.deepEqual(
				problems.map(({ kind }) => kind),
				kinds,
			);
			const signs = (text: string): string => text.replaceAll(/\s/g, '');
			let applied = '';
			try {
				applied = appliedAt(base, sent(mails));
			} catch {
				applied = 'git stops';
			}
			const own = git('log', '-1', '--format=%T %an <%ae>%n%B', 'main');
			assert.equal(signs(applied) === signs(own), kinds.length === 0, applied);
		});
	}
});
