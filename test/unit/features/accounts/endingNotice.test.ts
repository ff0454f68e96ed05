import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { SessionStore } from '../../../../src/editor/accounts/sessionStore.ts';
import type { Session } from '../../../../src/editor/accounts/session.ts';
import { textInMemory } from '../../../../src/store/shared/keptText.ts';
import type { AccountsContext } from '../../../../src/features/accounts/accountsContext.ts';
import { fake } from '../../../support/fake.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { fakeSecrets } from '../../../support/fakeSecrets.ts';
import { makeSession } from '../../../support/makeSession.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { endingNotice } = await import('../../../../src/features/accounts/accountsFeature.ts');

const [hourMs, dayMs] = [3_600_000, 86_400_000];

suite('notice about an expiring token', () => {
	const secrets = fakeSecrets();
	let clock: FakeClock;
	let kept: ReturnType<typeof textInMemory>;
	let renewed: string[];
	let isHeld: boolean;
	let held: Emitter<void>;
	let sessions: SessionStore;
	let dispose: () => void;

	function open(): void {
		sessions = new SessionStore(secrets, quietLog());
		const notice = endingNotice(
			fake<AccountsContext>({
				sessions,
				endings: kept,
				lease: { isOwner: () => isHeld, onDidChange: held.event },
				clock,
			}),
			() => 'Example',
			({ id }) => renewed.push(id),
		);
		dispose = () => {
			notice.dispose();
			sessions.dispose();
		};
	}

	setup(() => {
		resetStub();
		secrets.values.clear();
		clock = fakeClock();
		kept = textInMemory();
		renewed = [];
		isHeld = true;
		held = new Emitter();
		open();
	});

	teardown(() => dispose());

	const ending = (inMs: number, changes: Partial<Session> = {}): Session =>
		makeSession({ expiresMs: clock.nowMs() + inMs, ...changes });

	/** Advances the clock in quarter hours, so that each timer can fire. */
	function wait(hours: number): void {
		for (let quarter = 0; quarter < hours * 4; quarter += 1) {
			clock.advance(hourMs / 4);
		}
	}

	test('appears once, on the token’s last day', async () => {
		await sessions.put(ending(2 * dayMs));
		wait(23);
		assert.deepEqual(stubbed.shown, []);
		wait(2);
		assert.equal(stubbed.shown.length, 1);
		assert.match(
			stubbed.shown[0] ?? '',
			/^The token of ~alice for Example expires on Nov 22, 2026.*\. Sign in again to replace it\.$/,
		);
		wait(30);
		assert.equal(stubbed.shown.length, 1);
		assert.deepEqual(renewed, []);
	});

	test('appears in a window that opens on the last day, but not in a later one', async () => {
		await sessions.put(ending(hourMs));
		assert.equal(stubbed.shown.length, 1);
		dispose();
		open();
		await sessions.all();
		wait(0.5);
		assert.equal(stubbed.shown.length, 1);
	});

	test('appears again when a replacement token expires, too', async () => {
		await sessions.put(ending(hourMs));
		await sessions.put(ending(2 * hourMs));
		assert.equal(stubbed.shown.length, 2);
	});

	test('appears only in the window that holds the lease', async () => {
		isHeld = false;
		await sessions.put(ending(hourMs));
		assert.deepEqual(stubbed.shown, []);
		isHeld = true;
		held.fire();
		assert.equal(stubbed.shown.length, 1);
	});

	test('its button starts a new sign-in', async () => {
		stubbed.answers.push('Sign In Again');
		const session = ending(hourMs);
		await sessions.put(session);
		await eventually(async () => renewed, [session.id]);
	});

	test('skips a token that is valid for only one day', async () => {
		await sessions.put(ending(dayMs, { sinceMs: clock.nowMs() }));
		wait(1);
		assert.deepEqual(stubbed.shown, []);
	});

	test('skips tokens that have expired, have no expiry date or belong to the sample forge', async () => {
		await sessions.put(ending(-hourMs));
		await sessions.put(makeSession({ accountName: '~bob' }));
		await sessions.put(ending(hourMs, { id: 'carol.sample', inMemoryOnly: true }));
		wait(1);
		assert.deepEqual(stubbed.shown, []);
	});

	test('appears once per window when storing fails, and survives damaged storage', async () => {
		for (const text of ['{', '7', '[1,2]']) {
			stubbed.shown.length = 0;
			kept = { read: () => text, write: () => Promise.reject(new Error('The disk is full')) };
			dispose();
			secrets.values.clear();
			open();
			await sessions.put(ending(hourMs));
			wait(0.5);
			assert.equal(stubbed.shown.length, 1, text);
		}
	});
});
