import assert from 'node:assert/strict';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import {
	noTries,
	emptyWebhookBook,
	isSameBook,
	withAddress,
	withChanged,
	withLost,
	withOtherToken,
	withRefusal,
	withTries,
	withWebhook,
	type BookedWebhook,
	type WebhookBook,
} from '../../../../src/store/webhooks/webhookBook.ts';
import { bookIn } from '../../../support/fakeWebhooks.ts';

const alpha: WebhookFamily = { kind: 'tracker', ref: { owner: '~alice', name: 'Alpha' } };
const quill: WebhookFamily = { kind: 'repository', ref: { owner: '~bob', name: 'quill' } };
const third: WebhookFamily = { kind: 'ticket', ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 3 } };
const user: WebhookFamily = { kind: 'user', area: 'todo' };

function booked(family: WebhookFamily, change: Partial<BookedWebhook> = {}): BookedWebhook {
	return {
		family,
		path: '/one',
		url: 'https://desk.example/one',
		events: ['label:create'],
		id: 7,
		askedMs: 1,
		verifiedMs: 2,
		doubt: undefined,
		...change,
	};
}

function full(): WebhookBook {
	let book = withWebhook(emptyWebhookBook, booked(alpha));
	book = withWebhook(book, booked(quill, { id: undefined, doubt: 'token' }));
	book = withRefusal(book, { family: third, problem: { kind: 'notAllowed', reason: 'No' }, againMs: 5 });
	book = withRefusal(book, {
		family: user,
		problem: { kind: 'invalid', errors: [{ field: undefined, reason: 'No' }] },
		againMs: 6,
	});
	book = withTries(book, 'tracker', { ...noTries, refused: ['event:create'] });
	book = withAddress(withAddress(book, 'https://old.example'), 'https://desk.example');
	return withLost(book, booked({ kind: 'user', area: 'git' }), 9);
}

suite('webhook book', () => {
	test('is the same after a round trip', () => {
		assert.ok(isSameBook(bookIn(JSON.stringify(full())), full()));
		assert.deepEqual(bookIn(undefined), emptyWebhookBook);
	});

	test('loses only damaged parts', () => {
		const { webhooks, refused, ...rest } = full();
		const damaged = JSON.stringify({
			...rest,
			webhooks: [{ ...booked(alpha), family: { kind: 'tracker' } }, ...webhooks, 5],
			refused: [{ family: third, problem: { kind: 'tired' }, againMs: 1 }, ...refused],
			tries: { ...rest.tries, list: { taken: 'all' } },
			addresses: ['', ...rest.addresses],
		});
		assert.ok(isSameBook(bookIn(damaged), full()));
		assert.deepEqual(bookIn('{"webhooks":'), emptyWebhookBook);
		assert.deepEqual(bookIn(JSON.stringify({ addresses: ['https://a'] })).addresses, ['https://a']);
	});

	test('has one webhook per family, regardless of the case of a tracker name', () => {
		const other: WebhookFamily = { kind: 'tracker', ref: { owner: '~alice', name: 'alpha' } };
		const book = withWebhook(full(), booked(other, { path: '/two', url: 'https://desk.example/two' }));
		assert.deepEqual(
			book.webhooks.map(({ path }) => path),
			['/one', '/two'],
		);
		// Another webhook has replaced it.
		assert.equal(withChanged(book, booked(alpha), { id: 8 }), book);
	});

	test('doubts webhooks of another token, and drops its rejections', () => {
		const book = withOtherToken(full());
		assert.ok(book.webhooks.every(({ doubt, verifiedMs }) => doubt === 'token' && verifiedMs === 0));
		assert.deepEqual([book.refused, book.tries], [[], {}]);
	});
});
