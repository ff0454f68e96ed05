import assert from 'node:assert/strict';
import { readMail } from 'patchmail/mail/readMail.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import {
	commitFacts,
	fileName,
	isTelling,
	patchFacts,
	statedIds,
	titleOf,
	type CommittedLine,
} from '../../src/lines/committedLine.ts';

/** Adds lines to a file. */
function diff(path: string, ...lines: readonly string[]): string {
	const added = lines.map((line) => `+${line}\n`).join('');
	return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,${lines.length + 1} @@\n first\n${added}`;
}

const picture = 'diff --git a/p.png b/p.png\nindex 1111111..2222222 100644\nBinary files a/p.png and b/p.png differ\n';
const rename = 'diff --git a/x.c b/y.c\nsimilarity index 100%\nrename from x.c\nrename to y.c\n';
const [one, two, three] = ['one = open(first);', 'two = read(second);', 'three = close(third);'] as const;
const lines = [one, two, three, '}'];

function commitOf(changes: Partial<CommittedLine> = {}): CommittedLine {
	return {
		commit: 'a'.repeat(40),
		subject: 'part: open the files',
		author: 'Ann@A.example',
		authoredMs: 0,
		committedMs: 0,
		message: '',
		diff: diff('src/a.c', ...lines),
		path: 'src/a.c',
		text: one,
		...changes,
	};
}

async function factsOf(
	text: string,
	{ subject = '[PATCH] another title', from = 'Ann <ann@a.EXAMPLE>', commit = commitOf(), inText = '' } = {},
) {
	const raw = `From: ${from}\nSubject: ${subject}\nMessage-ID: <1@x>\n\n${inText}Text.\n---\n\n${text}-- \n2.45\n`;
	const patch = patchMailOf(await readMail(raw, { evenIfLarge: true }), subject);
	assert.ok(patch);
	return patchFacts(patch, subject, commitFacts(commit));
}

suite('a patch beside the commit', () => {
	const other = diff('src/a.c', 'entirely other words');

	test('is the same with an equal title in subject or text, or with equal changes', async () => {
		const own = diff('src/a.c', ...lines);
		const cases: readonly (readonly [string, Parameters<typeof factsOf>[1], boolean])[] = [
			[other, { subject: '[PATCH v2 3/4] PART:  open the files' }, true],
			[other, { subject: 'Re: [PATCH]', inText: 'Subject: part: open the files\n\n' }, true],
			[own, {}, true],
			[own.replace('-1,1', '-100,1'), {}, true],
			[other, {}, false],
			// Moved files have no changed lines, so nothing proves them equal.
			[other, { commit: commitOf({ diff: '' }) }, false],
			[own, { commit: commitOf({ diff: rename }) }, false],
		];
		for (const [text, how, expected] of cases) {
			assert.equal((await factsOf(text, how)).isSame, expected, JSON.stringify(how));
		}
	});

	test('is alike if its author has half of the telling lines, of the patch or of the commit', async () => {
		const news = ['fourth = other words;', 'fifth = other words;', 'sixth = other words;'];
		const cases: readonly (readonly [string, boolean, string?])[] = [
			[diff('src/a.c', one, two, three), true],
			// Half of the patch.
			[diff('src/a.c', one, news[0]!), true],
			[diff('src/a.c', one, news[0]!, news[1]!), false],
			// Two of the three lines of the commit, in a long patch.
			[diff('src/a.c', one, two, ...news), true],
			[diff('src/a.c', '}', '};'), false],
			[diff('src/b.c', one, two, three), false],
			[diff('moved/here/a.c', one, two, three), true],
			[diff('src/a.c', one, two, three), false, 'Bob <bob@b.example>'],
			// The author writes over the sender.
			[diff('src/a.c', one, two, three), true, 'Bob <bob@b.example>\nX-Text: 1'],
		];
		for (const [text, expected, from] of cases) {
			const inText = from?.includes('X-Text') === true ? 'From: Ann <ann@a.example>\n\n' : '';
			assert.equal((await factsOf(text, { inText, ...(from === undefined ? {} : { from }) })).isAlike, expected, text);
		}
		const nothing = await factsOf(diff('src/a.c', one), { commit: commitOf({ diff: '' }) });
		assert.deepEqual([nothing.isAlike, nothing.isSame], [false, false]);
	});

	test('adds a line to a file of the name, without the blanks at its end', async () => {
		const removed = 'diff --git a/c.c b/c.c\n--- a/c.c\n+++ b/c.c\n@@ -1,3 +1,2 @@\n first\n-kept out();\n last\n';
		const facts = await factsOf(
			`${rename}${picture}${diff('src/a.c', one, `\t${two}`)}${removed}${diff('b.c', 'for b only();')}`,
			{
				commit: commitOf({
					diff: `${picture}${diff('src/a.c', `${one}  `, three)}${diff('c.c', 'kept out();')}`,
				}),
			},
		);
		const adds = (path: string, text: string) => facts.adds(commitOf({ path, text }));
		assert.equal(adds('src/a.c', one), true);
		assert.equal(adds('moved/a.c', `${one}\t`), true);
		assert.equal(adds('src/a.c', `\t${one}`), false);
		assert.equal(adds('src/a.c', three), false);
		assert.equal(adds('src/b.c', one), false);
		assert.equal(adds('c.c', 'kept out();'), false);
		// The commit lacks them.
		assert.equal(adds('b.c', 'for b only();'), false);
		assert.equal(adds('src/a.c', `\t${two}`), false);
	});

	test('may add to a file in two parts of a diff', async () => {
		const both = `${diff('a.c', one)}${diff('deep/a.c', two)}`;
		const facts = await factsOf(both);
		assert.ok(lines.slice(0, 2).every((text) => facts.adds(commitOf({ text }))));
	});
});

suite('words of a commit', () => {
	test('make a title without tags, case and wide space', () => {
		for (const [subject, title] of [
			['[PATCH v2 1/3] Open  the\tFiles', 'open the files'],
			['Re: [PATCH] open', 'open'],
			['[net-next] [stable] open [a] file', 'open [a] file'],
			['[][ab] open', 'open'],
			['open [a] file', 'open [a] file'],
			['open [file', 'open [file'],
			['  open ', 'open'],
			['[tag]', ''],
		] as const) {
			assert.equal(titleOf(subject), title);
		}
	});

	test('are telling with six letters or digits of any script', () => {
		for (const [line, expected] of [
			['abcdef', true],
			['a(b)[c]{d}=e+1', true],
			['abcde;;;;;;', false],
			['123456', true],
			['éàüößñ', true],
			['}', false],
			['', false],
		] as const) {
			assert.equal(isTelling(line), expected, line);
		}
		assert.deepEqual(['src/deep/a.c', 'a.c', 'deep/'].map(fileName), ['a.c', 'a.c', '']);
	});

	test('name mails in trailers of any width, the last one first', () => {
		const message =
			'x\n\n\tLink:https://lore.example/devel/1@x\nLINK: https://lore.example/devel/\nmessage-id:\t <2@x>\nxLink: <3@x>\nMessage-Id: <2@x>\n';
		assert.deepEqual(statedIds(message), ['<2@x>', '<1@x>']);
		assert.deepEqual(statedIds(`${message}Link: <1@x>\n`), ['<1@x>', '<2@x>']);
		assert.deepEqual(statedIds(''), []);
	});
});
