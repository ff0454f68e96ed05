import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { DraftDocuments } from '../../../../../src/features/tickets/drafts/draftDocuments.ts';
import { draftFiles } from '../../../../../src/machine/storage/draftFiles.ts';
import { keptDrafts } from '../../../../../src/machine/storage/keptDrafts.ts';
import type { DescriptionSubject } from '../../../../../src/features/tickets/drafts/draftSubject.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { fakeRepositories, makeRepository, quill } from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeList } from '../../../../support/makeMail.ts';
import { makeTracker } from '../../../../support/makeTicket.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';
import { standFor } from '../../../../support/standFor.ts';
import { provided, resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { descriptions } = await import('../../../../../src/features/tickets/drafts/descriptions.ts');
const { draftFileSystem } = await import('../../../../../src/features/tickets/drafts/draftFileSystem.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');
const { isDescription } = await import('../../../../../src/features/tickets/drafts/draftSubject.ts');
const { trackerKind } = await import('../../../../../src/features/tickets/subjects/trackerKind.ts');
const { listKind } = await import('../../../../../src/features/lists/subjects/listKind.ts');
const { repositoryKind } = await import('../../../../../src/features/repositories/subjects/repositoryKind.ts');

const never = new AbortController().signal;

/** A subject with a description, its account, and its state on the forge. */
interface Thing {
	readonly about: DescriptionSubject;
	readonly connection: Connection;
	readonly longest: number;
	there(): string | undefined;
	/** Another user changes the description. */
	change(description: string): void;
}

function listThing(): Thing {
	const { world, api } = fakeLists();
	world.lists.push(makeList({ description: 'Old words' }));
	const connection = listConnection(api);
	return {
		about: { kind: 'listDescription', connectionKey: connection.key, ref: { owner: '~alice', name: 'devel' } },
		connection,
		longest: 2047,
		there: () => world.lists[0]?.description,
		change: (description) => void world.lists.splice(0, 1, makeList({ description })),
	};
}

function repositoryThing(): Thing {
	const fake = fakeRepositories();
	const change = (description: string | undefined): void =>
		void fake.world.repositories.splice(0, 1, makeRepository('quill', { description }));
	change('Old words');
	const { connection } = repositoryDesk(fake, {
		update: async (_, { description }) => {
			change(description);
			return makeRepository('quill', { description });
		},
	});
	return {
		about: { kind: 'repositoryDescription', connectionKey: connection.key, ref: quill },
		connection,
		longest: 1024,
		there: () => fake.world.repositories[0]?.description,
		change,
	};
}

function trackerThing(): Thing {
	const { world, api } = fakeTrackers();
	const change = (description: string): void =>
		void world.trackers.splice(0, 1, { ...makeTracker({ name: 'lamp' }), description });
	change('Old words');
	Object.assign(api, {
		update: async (_: unknown, description: string) => {
			change(description);
			return world.trackers[0];
		},
	});
	const connection = fakeConnection(api);
	return {
		about: { kind: 'description', connectionKey: connection.key, tracker: { owner: '~alice', name: 'lamp' } },
		connection,
		longest: 4095,
		there: () => world.trackers[0]?.description,
		change,
	};
}

suite('description documents', () => {
	let folder: string;
	setup(() => {
		resetStub();
		folder = mkdtempSync(join(tmpdir(), 'descriptions-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	/** A window over the files in `folder`. It never shuts down cleanly. */
	function windowOf({ about, connection }: Thing, name: string) {
		const drafts = keptDrafts(draftFiles(folder), name);
		const uri = draftUri(about);
		let open: string | undefined;
		const described = descriptions(
			fake<TicketsContext>({ connections: fakeConnections(connection), drafts, ready: () => Promise.resolve() }),
			fake<DraftDocuments>({
				open: async () => {
					open = new TextDecoder().decode(await files.readFile(uri));
					return standFor<vscode.TextEditor>({});
				},
				textOf: (subject) => open ?? drafts.draft(subject)?.text,
				finish: async (subject) => {
					open = undefined;
					await drafts.keep(subject, { text: '', atMs: 2 });
				},
			}),
			{
				description: trackerKind,
				listDescription: listKind,
				repositoryDescription: repositoryKind,
			},
		);
		const files = draftFileSystem(
			drafts,
			fakeClock(),
			quietProblems,
			async (subject) => (isDescription(subject) ? described.firstText(subject, never) : ''),
			() => ({ dispose: () => undefined }),
		);
		return {
			described,
			drafts,
			text: () => open,
			/** Types a text and saves it, as auto save does. */
			type: async (text: string) => {
				open = text;
				await files.writeFile(uri, new TextEncoder().encode(text), { create: true, overwrite: true });
			},
			save: () => described.save(uri, never),
		};
	}

	for (const [name, make] of Object.entries({
		tracker: trackerThing,
		list: listThing,
		repository: repositoryThing,
	})) {
		test(`save the description of a ${name}, start with the current text, and close afterwards`, async () => {
			const thing = make();
			const { described, drafts, text, type, save } = windowOf(thing, 'aa');
			await described.edit(thing.about);
			assert.equal(text(), 'Old words');
			await type('New\r\nwords\n');
			await save();
			assert.deepEqual([thing.there(), text(), drafts.all()], ['New\nwords', undefined, []]);
			assert.match(stubbed.shown.at(-1) ?? '', /^Saved the description of ~alice\//);
		});

		test(`keep the description of a ${name} after a kill, and ask before they overwrite another text`, async () => {
			const thing = make();
			const first = windowOf(thing, 'aa');
			await first.described.edit(thing.about);
			await first.type('Half a thought');
			const second = windowOf(thing, 'bb');
			assert.deepEqual(
				second.drafts.all().map(({ about, draft }) => [about, draft.text]),
				[[thing.about, 'Half a thought']],
			);
			await second.described.edit(thing.about);
			assert.equal(second.text(), 'Half a thought');
			stubbed.answers.push(undefined);
			await second.save();
			assert.match(stubbed.shown.at(-1) ?? '', /may have changed since you started editing it\.$/);
			assert.equal(stubbed.details.at(-1), 'Saving replaces it with your text.');
			assert.deepEqual([thing.there(), second.text()], ['Old words', 'Half a thought']);
			stubbed.answers.push('Overwrite');
			await second.save();
			assert.equal(thing.there(), 'Half a thought');
			assert.deepEqual(windowOf(thing, 'cc').drafts.all(), []);
		});

		test(`neither overwrite a foreign change to the description of a ${name}, nor send an overlong text`, async () => {
			const thing = make();
			const { described, type, save } = windowOf(thing, 'aa');
			await described.edit(thing.about);
			await type('x'.repeat(thing.longest + 1));
			await save();
			assert.match(stubbed.shown.at(-1) ?? '', new RegExp(`at most ${thing.longest} `));
			await type('Mine');
			thing.change('Theirs');
			stubbed.answers.push(undefined);
			await save();
			assert.match(stubbed.shown.at(-1) ?? '', /has changed since you opened it\.$/);
			assert.equal(thing.there(), 'Theirs');
		});
	}

	test('do not send the description of another owner’s repository', async () => {
		const thing = repositoryThing();
		const { key } = thing.connection;
		const about = { kind: 'repositoryDescription', connectionKey: key, ref: { owner: '~bob', name: 'quill' } } as const;
		const { type, save } = windowOf({ ...thing, about }, 'aa');
		await type('Not mine');
		await assert.rejects(save(), (error) => isForgeError(error) && error.problem.kind === 'notAllowed');
		assert.equal(thing.there(), 'Old words');
	});

	test('reject the save for a signed-out account and keep the text', async () => {
		const thing = listThing();
		const first = windowOf(thing, 'aa');
		await first.type('Kept');
		const out = windowOf({ ...thing, connection: standFor<Connection>({ key: 'somebody else' }) }, 'bb');
		await assert.rejects(out.save(), (error) => isForgeError(error) && error.problem.kind === 'notSignedIn');
		assert.equal(out.drafts.draft(thing.about)?.text, 'Kept');
	});

	test('stay open when the user types during the save, and the next save asks nothing', async () => {
		const thing = trackerThing();
		const { described, text, type, save } = windowOf(thing, 'aa');
		await described.edit(thing.about);
		await type('New words');
		let isSending = true;
		const sending = thing.connection.tickets.onDidChange(() => {
			if (isSending) {
				isSending = false;
				void type('New words and more');
			}
		});
		await save();
		assert.match(stubbed.shown.at(-1) ?? '', /without what you typed since/);
		assert.deepEqual([thing.there(), text()], ['New words', 'New words and more']);
		await save();
		assert.deepEqual([thing.there(), text()], ['New words and more', undefined]);
		sending.dispose();
	});

	test('have a code lens that names the save action', () => {
		const { described } = windowOf(listThing(), 'aa');
		const provider = standFor<vscode.CodeLensProvider>(provided.get('lenses'));
		const titles = [trackerThing(), listThing(), repositoryThing()].flatMap(({ about }) => {
			const document = standFor<vscode.TextDocument>({ uri: draftUri(about) });
			const found = provider.provideCodeLenses(document, standFor<vscode.CancellationToken>({}));
			return Array.isArray(found) ? found.map(({ command }: vscode.CodeLens) => command?.title) : [];
		});
		assert.deepEqual(titles, [
			'$(cloud-upload) Save Tracker Description',
			'$(cloud-upload) Save List Description',
			'$(cloud-upload) Save Repository Description',
		]);
		described.dispose();
	});
});
