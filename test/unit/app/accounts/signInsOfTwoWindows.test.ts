import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Emitter } from '@forge-desk/base/event.ts';
import { readSession } from '../../../../src/editor/accounts/session.ts';
import { SessionStore, type Secrets } from '../../../../src/editor/accounts/sessionStore.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { inRounds } from '../../../support/counts.ts';
import { makeSession } from '../../../support/makeSession.ts';
import { quietLog } from '../../../support/quietLog.ts';

/*
 * Two windows sign in and out of one account and renew its token. fast-check's scheduler chooses the order of the
 * secret storage's steps, and prints the seed and the order of a failure.
 */

const operations = ['signIn', 'signOut', 'renew'] as const;
type Operation = (typeof operations)[number];

const { id } = makeSession();
const key = `forge.session:${id}`;

interface Span {
	readonly kind: Operation;
	readonly startMs: number;
	endMs: number;
	readonly token?: string;
}

async function survives(s: fc.Scheduler, plans: readonly (readonly Operation[])[]): Promise<void> {
	const values = new Map<string, string>();
	const changed = new Emitter<{ readonly key: string }>();
	const spans: Span[] = [];
	const running: Promise<unknown>[] = [];
	let now = 1;
	const step = <T>(name: string, work: () => T): Promise<T> => {
		const done = s.schedule(Promise.resolve(), name).then(work);
		running.push(done);
		return done;
	};
	const secrets: Secrets = {
		keys: () => step('keys', () => [...values.keys()]),
		get: (name) => step('get', () => values.get(name)),
		store: (name, value) =>
			step('store', () => {
				values.set(name, value);
				changed.fire({ key: name });
			}),
		delete: (name) =>
			step('delete', () => {
				values.delete(name);
				changed.fire({ key: name });
			}),
		onDidChange: changed.event,
	};
	const windows = [new SessionStore(secrets, quietLog()), new SessionStore(secrets, quietLog())];

	async function act(store: SessionStore, kind: Operation): Promise<void> {
		const known = store.byId(id);
		const token = new Token(`token ${(now += 1)}`);
		const span: Span = { kind, startMs: now, endMs: Number.POSITIVE_INFINITY, token: token.reveal() };
		spans.push(span);
		switch (kind) {
			case 'signIn':
				await store.put(makeSession({ token, createdMs: known?.createdMs ?? now, sinceMs: now }));
				break;
			case 'signOut':
				await store.remove(id);
				break;
			case 'renew':
				await (known && store.renew(known, { token, refresh: undefined, sinceMs: now, expiresMs: undefined }));
		}
		span.endMs = now += 1;
	}

	async function inTurn(store: SessionStore, plan: readonly Operation[]): Promise<void> {
		for (const operation of plan) {
			await s.schedule(Promise.resolve(), operation);
			await act(store, operation);
		}
	}

	await s.waitFor(Promise.all(windows.map((store, at) => inTurn(store, plans[at] ?? []))));
	for (let done = -1; done < running.length;) {
		done = running.length;
		await s.waitFor(Promise.all(running));
		await Promise.all(windows.map((store) => s.waitFor(store.all())));
	}
	const stored = readSession(values.get(key) ?? '');
	const outs = spans.filter(({ kind }) => kind === 'signOut');
	const lastOutMs = Math.max(0, ...outs.map(({ startMs }) => startMs));
	const isSignedIn = spans.some(({ kind, endMs }) => kind === 'signIn' && endMs > lastOutMs);
	assert.ok(stored === undefined || isSignedIn, 'a renewal signs in again');
	const firstInMs = Math.max(0, ...spans.filter(({ kind }) => kind === 'signIn').map(({ startMs }) => startMs));
	const isSignedOut = outs.some(({ endMs }) => endMs > firstInMs);
	assert.ok(stored !== undefined || firstInMs === 0 || isSignedOut, 'a sign-in is lost');
	for (const store of windows) {
		assert.equal(store.byId(id)?.token.reveal(), stored?.token.reveal(), 'a window has another token');
		store.dispose();
	}
}

suite('sign-ins of two windows', () => {
	test('last until a sign-out, and a sign-out lasts, in any order of the steps', async function () {
		this.timeout(600_000);
		const plan = fc.array(fc.constantFrom(...operations), { maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), fc.tuple(plan, plan), survives),
			inRounds({ least: 50, small: 1000, full: 10_000 }),
		);
	});
});
