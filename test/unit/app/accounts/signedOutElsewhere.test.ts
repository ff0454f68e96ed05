import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { forgetElsewhere } from '../../../../src/app/accounts/forgetElsewhere.ts';
import { forgetNames, keptText, storageWhile } from '../../../../src/machine/storage/editorStorage.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { SessionStore } from '../../../../src/editor/accounts/sessionStore.ts';
import { storedReadMarks, type ReadMarks } from '../../../../src/store/readMarks/storedReadMarks.ts';
import { keptSent } from '../../../../src/store/tickets/index/keptSent.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeSecrets } from '../../../support/fakeSecrets.ts';
import { makeSession } from '../../../support/makeSession.ts';
import { makeTicket } from '../../../support/makeTicket.ts';
import { standFor } from '../../../support/standFor.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const alice = makeSession();
const ticket = makeTicket({ id: 1 });

async function turns(): Promise<void> {
	for (let turn = 0; turn < 10; turn += 1) {
		await new Promise((resolve) => void setImmediate(resolve));
	}
}

interface Rig {
	/** The storage shared by all windows. */
	readonly kept: Map<string, unknown>;
	readonly clock: ReturnType<typeof fakeClock>;
	/** The window that learns late about others' changes. */
	readonly here: { readonly sessions: SessionStore; readonly looks: ReadMarks; readonly spend: () => void };
	/** The other window signs out, or in again. */
	readonly signOutThere: () => Promise<void>;
	readonly signInThere: () => Promise<void>;
	/** The other window has a later version with another account format. */
	readonly writeNewerThere: () => Promise<void>;
	/** Makes the other window's changes known here. */
	readonly hear: () => Promise<void>;
	/** Closes the account's stores here. */
	readonly close: () => void;
}

async function rig(): Promise<Rig> {
	const kept = new Map<string, unknown>();
	const storage = standFor<vscode.Memento>({
		keys: () => [...kept.keys()],
		get: (key: string) => kept.get(key),
		async update(key: string, value: unknown) {
			void (value === undefined ? kept.delete(key) : kept.set(key, value));
		},
	});
	const secrets = fakeSecrets();
	const late = new Emitter<{ readonly key: string }>();
	const there = new SessionStore(secrets, silent);
	await there.put(alice);
	const sessions = new SessionStore({ ...secrets, onDidChange: late.event }, silent);
	await sessions.all();
	const clock = fakeClock();
	const guarded = storageWhile(() => sessions.byId(alice.id) !== undefined, storage);
	const looks = storedReadMarks(keptText(guarded, 'looks', alice.id), '~alice', clock);
	const sent = keptSent(keptText(guarded, 'sent', alice.id), clock);
	forgetElsewhere(
		sessions,
		(key) => forgetNames(storage, key),
		() => undefined,
	);
	return {
		kept,
		clock,
		here: { sessions, looks, spend: () => sent.write([clock.nowMs()]) },
		async signOutThere() {
			await there.remove(alice.id);
			await forgetNames(storage, alice.id);
		},
		signInThere: () => there.put(alice),
		async writeNewerThere() {
			await secrets.store(`forge.session:${alice.id}`, JSON.stringify({ version: 2, id: alice.id }));
		},
		async hear() {
			late.fire({ key: `forge.session:${alice.id}` });
			await turns();
		},
		close() {
			looks.dispose();
			sent.dispose();
		},
	};
}

suite('an account signed out in another window', () => {
	test('leaves no pending write of this window', async () => {
		const { kept, here, signOutThere, hear, close } = await rig();
		here.looks.look(ticket, 5);
		here.spend();
		await signOutThere();
		await hear();
		close();
		here.looks.look(ticket, 6);
		await turns();
		assert.deepEqual([...kept.keys()], []);
	});

	test('leaves no data that this window wrote before it knew', async () => {
		const { kept, here, clock, signOutThere, hear } = await rig();
		await signOutThere();
		here.looks.look(ticket, 5);
		here.spend();
		clock.advance(10_000);
		await turns();
		assert.equal(kept.size, 2);
		await hear();
		assert.deepEqual([...kept.keys()], []);
	});

	test('keeps data written after it signed in again', async () => {
		const { kept, here, clock, signOutThere, signInThere, hear } = await rig();
		await signOutThere();
		await signInThere();
		here.looks.look(ticket, 5);
		clock.advance(10_000);
		await hear();
		assert.equal(kept.size, 1);
	});

	test('keeps its data if its secret is only unreadable, for example from a later version', async () => {
		const { kept, here, clock, writeNewerThere, signOutThere, hear } = await rig();
		here.looks.look(ticket, 5);
		clock.advance(10_000);
		await turns();
		await writeNewerThere();
		await hear();
		assert.deepEqual([kept.size, here.sessions.byId(alice.id)], [1, undefined]);
		await signOutThere();
		await hear();
		assert.equal(kept.size, 0);
	});

	test('keeps its data if it was in memory only, like the sample forge’s', async () => {
		const { kept, here, clock } = await rig();
		const forgotten: string[] = [];
		forgetElsewhere(
			here.sessions,
			async (key) => void forgotten.push(key),
			() => undefined,
		);
		const sample = makeSession({ accountName: '~bob', inMemoryOnly: true });
		await here.sessions.put({ ...sample, id: 'sample-bob' });
		await here.sessions.remove('sample-bob');
		here.looks.look(ticket, 5);
		clock.advance(10_000);
		await turns();
		assert.deepEqual([forgotten, kept.size], [[], 1]);
	});
});
