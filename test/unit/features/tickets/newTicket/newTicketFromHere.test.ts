import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../../support/counts.ts';
import { readTicket } from '../../../../../src/features/tickets/newTicket/newTicketText.ts';
import type { FolderBelongs } from '../../../../../src/editor/git/folderMapping.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { fake } from '../../../../support/fake.ts';
import { codeDocument } from '../../../../support/codeDocument.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeGit, uriAt } from '../../../../support/fakeGit.ts';
import { resetStub } from '../../../../support/vscodeValues.ts';

const { newTicketFromHere } = await import('../../../../../src/features/tickets/newTicket/newTicketFromHere.ts');

const code = 'int trim(void) {\n\t// TODO: trim the wick\n\tint wick = 9;\n\treturn wick;\n}\n';
const [commit, never] = ['a'.repeat(40), new AbortController().signal];
const found = { connectionKey: 'sample-alice', foundBy: { kind: 'setting' } } as const;
const tracker = { ref: { owner: '~alice', name: 'alpha' }, ...found } as const;
const repository = { ref: { owner: '~alice', name: 'lantern' }, ...found, root: uriAt('/code'), head: commit } as const;

/** A folder with a tracker, and with a repository whose commit is pushed. */
const known: FolderBelongs = {
	root: uriAt('/code'),
	repository: { ...repository, isPushed: true },
	tracker,
	list: undefined,
};
const unknown: FolderBelongs = { ...known, repository: undefined };

/** Input of the quick fix. */
interface Asked {
	readonly problem?: string;
	readonly origin?: string;
	readonly line?: number;
	readonly path?: string;
	readonly folder?: FolderBelongs;
	readonly isDirty?: boolean;
	readonly text?: string;
}

/** Initial text of the document. */
async function written({ path = '/code/src/wick.c', line = 2, folder = known, ...asked }: Asked): Promise<string> {
	const { problem, origin, isDirty = false, text: content = code } = asked;
	const document = codeDocument(path, content, { isDirty });
	const desk = fake<TicketsContext>({
		connections: fakeConnections(fakeConnection(fakeTrackers().api)),
		folders: { of: async () => folder },
		findGit: fakeGit(),
	});
	const uri = document.uri.toString();
	const subject = { kind: 'here', uri, line, ...(problem === undefined ? {} : { problem }), ...(origin && { origin }) };
	const { tracker: meant, text } = await newTicketFromHere(desk, subject, never);
	assert.deepEqual(meant, { kind: 'tracker', connectionKey: 'sample-alice', ref: tracker.ref });
	return text;
}

const permalink = `https://git.forge.test/~alice/lantern/tree/${commit}/item/src/wick.c`;
const shownCode = '```c\nint trim(void) {\n\t// TODO: trim the wick\n\tint wick = 9;\n\treturn wick;\n}\n```\n';

suite('new ticket from code', () => {
	setup(resetStub);

	test('has a short problem as its title, and a link to the lines around it at this commit', async () => {
		assert.equal(
			await written({ problem: 'The wick is too long' }),
			`The wick is too long\n\n[src/wick.c:1-5](${permalink}#L1-5)\n\n${shownCode}`,
		);
	});

	test('quotes a problem in full, with its source, when the title cannot hold it', async () => {
		const problem = '\n The wick is\ttoo long\r\n  9 is more than 3\n';
		assert.equal(
			await written({ problem, origin: 'gcc(-Wwick)', folder: unknown }),
			'The wick is too long\n\n```\nThe wick is\ttoo long\n  9 is more than 3\ngcc(-Wwick)\n```\n\n' +
				`\`/code/src/wick.c\`:1-5\n\n${shownCode}`,
		);
		const long = 'wick '.repeat(90).trim();
		const { title, description } = readTicket(await written({ problem: long }));
		assert.equal(title, long.slice(0, 200).trim());
		assert.ok(description.startsWith(`\`\`\`\n${long}\n\`\`\`\n`));
	});

	test('has the task of a comment as its title, and the lines after it', async () => {
		assert.equal(
			await written({ line: 1 }),
			`trim the wick\n\n[src/wick.c:2-6](${permalink}#L2-6)\n\n` +
				'```c\n\t// TODO: trim the wick\n\tint wick = 9;\n\treturn wick;\n}\n```\n',
		);
	});

	test('warns about its link when the file has changes or the commit is not pushed', async () => {
		const problem = 'Too long';
		assert.match(await written({ problem, isDirty: true }), /uncommitted changes, so the link may show other lines/);
		const folder = { ...known, repository: { ...repository, isPushed: false } };
		resetStub();
		assert.match(await written({ problem, folder }), /not pushed yet/);
		resetStub();
		const headless: FolderBelongs = { ...known, repository: { ...repository, head: undefined, isPushed: undefined } };
		assert.doesNotMatch(await written({ problem, folder: headless }), /https:/);
	});

	test('quotes a hostile problem verbatim, so that no part becomes Markdown', async () => {
		const piece = fc.constantFrom(
			'![x](https://evil.test/a.png)',
			'```',
			'````\n',
			'~~~',
			'<img src=x>',
			'@~bob #12 ~bob/beta#3',
			'\r',
			'\u2028',
			'\u202Egnp',
			'# Heading\n',
			'    indented',
			'\uD83D',
			' ',
		);
		await fc.assert(
			fc.asyncProperty(fc.array(piece, { maxLength: 30 }), piece, async (pieces, origin) => {
				resetStub();
				const text = await written({ problem: `Oil\n${pieces.join('')}`, origin, folder: unknown });
				const { title, description } = readTicket(text);
				assert.equal(title, 'Oil');
				const [fence = ''] = description.split('\n', 1);
				assert.match(fence, /^`{3,}$/);
				const lines = description.split(/\r\n|[\n\r\u2028\u2029]/);
				const end = lines.indexOf(fence, 1);
				assert.equal(
					lines.slice(1, end).findIndex((line) => line.trim().startsWith(fence)),
					-1,
				);
				assert.deepEqual(lines.slice(end + 1), ['', '`/code/src/wick.c`:1-5', '', ...shownCode.trimEnd().split('\n')]);
			}),
			inRounds({ small: 100, full: 2000 }),
		);
		resetStub();
		const { title } = readTicket(await written({ problem: '\u202Egnp\u0007 \rsecond' }));
		assert.equal(title, '⟨U+202E⟩gnp⟨U+0007⟩');
	});

	test('truncates a very long problem', async () => {
		for (const problem of ['x'.repeat(1_000_000), 'x\n'.repeat(500_000)]) {
			resetStub();
			const text = await written({ problem });
			assert.ok(text.length < 6000, `${text.length}`);
			assert.match(text, /…\n```/);
		}
	});

	test('escapes a hostile file name in Markdown', async () => {
		const path = '/code/a](https:evil) `b` <i>.c';
		assert.match(
			await written({ problem: 'Too long', path }),
			/\n\[a\\\]\(https:evil\) \\`b\\` \\<i\\>\.c:1-5\]\(https:\/\/git\.forge\.test\/[^\s()]*#L1-5\)\n/,
		);
		resetStub();
		assert.match(
			await written({ problem: 'Too long', path, folder: unknown }),
			/\n\/code\/a\\\]\(https:evil\) \\`b\\` \\<i\\>\.c:1-5\n/,
		);
	});
});
