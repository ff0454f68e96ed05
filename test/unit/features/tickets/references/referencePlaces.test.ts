import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { namedTickets, referencePlaces } from '../../../../../src/features/tickets/references/referencePlaces.ts';
import type { FolderMapping } from '../../../../../src/editor/git/folderMapping.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections, keptNames, sampleInstance } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { uriAt } from '../../../../support/fakeGit.ts';

const never = new AbortController().signal;
const uri = uriAt('/code/a.md');

/** The folder belongs to `~alice/website`; `asked` counts lookups. */
function mapped(tracker = true): { readonly folders: FolderMapping; readonly asked: { count: number } } {
	const asked = { count: 0 };
	return {
		asked,
		folders: {
			async of(at) {
				asked.count += 1;
				return {
					root: at,
					repository: undefined,
					list: undefined,
					tracker: tracker
						? {
								ref: { owner: '~alice', name: 'website' },
								connectionKey: 'sample-alice',
								foundBy: { kind: 'setting' },
							}
						: undefined,
				};
			},
		},
	};
}

function accounts() {
	const { api } = fakeTrackers();
	return fakeConnections(fakeConnection(api, '~alice', keptNames('~alice/lantern')));
}

async function found(text: string, languageId = 'markdown', folders = mapped().folders): Promise<readonly string[]> {
	const desk = fake<TicketsContext>({ connections: accounts(), folders });
	const places = await referencePlaces(desk, { text, languageId, uri }, never);
	return places.map(({ start, end, subject }) => `${text.slice(start, end)} → ${ticketRefText(subject.ref)}`);
}

function texts(text: string, languageId: string): readonly string[] {
	return namedTickets(text, languageId, [sampleInstance.areas.todo]).map(({ start, end }) => text.slice(start, end));
}

suite('references in a document', () => {
	test('take missing parts from the folder, and need a known tracker name', async () => {
		assert.deepEqual(await found('#1 lantern#2 main.c#3 ~bob/x#4'), [
			'#1 → ~alice/website#1',
			'lantern#2 → ~alice/lantern#2',
			'~bob/x#4 → ~bob/x#4',
		]);
	});

	test('must be full references or URLs when the folder has no tracker', async () => {
		assert.deepEqual(
			await found('#1 lantern#2 ~bob/x#4 https://todo.forge.test/~bob/x/5', 'markdown', mapped(false).folders),
			['~bob/x#4 → ~bob/x#4', 'https://todo.forge.test/~bob/x/5 → ~bob/x#5'],
		);
	});

	test('look up the folder only when a part is missing', async () => {
		const { folders, asked } = mapped();
		await found('~bob/x#4 https://todo.forge.test/~bob/x/5', 'markdown', folders);
		assert.equal(asked.count, 0);
		await found('#4', 'markdown', folders);
		assert.equal(asked.count, 1);
	});

	test('are none without an account', async () => {
		const desk = fake<TicketsContext>({ connections: fakeConnections(), folders: mapped().folders });
		assert.deepEqual(await referencePlaces(desk, { text: '~bob/x#4 #1', languageId: 'markdown', uri }, never), []);
	});

	test('exclude colors, headings, preprocessor lines and code', () => {
		assert.deepEqual(texts('# 12\n#12 is fine\n    not `#13`', 'markdown'), ['#12']);
		assert.deepEqual(texts('a { color: #123; } /* #123 #112233 #12 */', 'css'), ['#12']);
		assert.deepEqual(texts('# 12 "file.c"\n#if 0 #3\nint a; // #4', 'c'), ['#4']);
		assert.deepEqual(texts('a = "#5"  # see #6\n#7 no', 'python'), ['#6']);
		assert.deepEqual(texts('see #1', 'plaintext'), []);
		assert.deepEqual(texts('see ~alice/website#1', 'plaintext'), ['~alice/website#1']);
	});

	test('exclude lines that git adds to a commit message', () => {
		const message =
			'Fix (#1)\n\nSee #2\n# On branch #3\n# ------------------------ >8 ------------------------\n+ #4\n';
		assert.deepEqual(texts(message, 'git-commit'), ['#1', '#2']);
		assert.deepEqual(texts('# not left out: #5', 'scminput'), ['#5']);
	});

	test('exclude a very long text', () => {
		assert.deepEqual(texts(`${'a '.repeat(300_000)}#1`, 'markdown'), []);
	});
});
