import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fake } from '../../../../support/fake.ts';
import type { ListPermission, MailingList } from 'sourcehut/port/list.ts';
import { makeList } from '../../../../support/makeMail.ts';

const { listTooltip, permissionTexts } = await import('../../../../../src/features/lists/tree/listRows.ts');

function permissions(
	nonsubscriber: readonly ListPermission[] | undefined,
	subscriber: readonly ListPermission[] | undefined,
	account: readonly ListPermission[] | undefined,
): MailingList {
	return fake({ permissions: { nonsubscriber, subscriber, account } });
}

suite('who may do what in a list', () => {
	test('is said for each group of people', () => {
		assert.deepEqual(
			permissionTexts(permissions(['browse'], ['browse', 'reply', 'post', 'normal'], ['browse', 'reply'])),
			[
				'Subscribers can: browse, reply, post',
				'Others with an account can: browse, reply',
				'Anonymous users can: browse',
			],
		);
	});

	test('begins with the account itself, where the forge tells that', () => {
		const everybody = permissions(['browse'], ['browse'], ['browse']).permissions;
		assert.ok(everybody);
		assert.deepEqual(permissionTexts(fake({ permissions: { ...everybody, mine: ['browse', 'moderate'] } })), [
			'You can: browse, moderate',
			'Everyone can: browse',
		]);
	});

	test('is said of those of whom the list says it', () => {
		assert.deepEqual(permissionTexts(permissions(undefined, ['browse'], [])), [
			'Subscribers can: browse',
			'Others with an account can: nothing',
		]);
	});

	test('is said once where the list makes no difference', () => {
		const words: readonly ListPermission[] = ['browse', 'reply', 'post', 'moderate', 'normal'];
		assert.deepEqual(permissionTexts(permissions(words, words, words)), [
			'Everyone can: browse, reply, post, moderate',
		]);
	});

	test('is shown as the forge spells it where this version does not know the word', () => {
		assert.deepEqual(permissionTexts(permissions(['normal'], ['other:fly\u202E'], [])), [
			'Subscribers can: fly⟨U+202E⟩',
			'Others with an account can: nothing',
			'Anonymous users can: browse, reply, post',
		]);
	});

	test('is left out where the list says nothing of it', () => {
		assert.deepEqual(permissionTexts(makeList()), []);
	});

	test('stands in the tooltip as text, whatever the list is called', () => {
		const list = makeList({
			name: 'a](command:x)',
			description: '<img src=x> **b**',
			permissions: permissions([], [], []).permissions,
		});
		const { value } = listTooltip('followed', list);
		assert.doesNotMatch(value, /[^\\]\]\(command/);
		assert.ok(/Everyone can\\?: nothing/.test(value));
	});
});
