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

suite('list permissions', () => {
	test('appear for each group of people', () => {
		assert.deepEqual(
			permissionTexts(permissions(['browse'], ['browse', 'reply', 'post', 'normal'], ['browse', 'reply'])),
			[
				'Subscribers can: browse, reply, post',
				'Others with an account can: browse, reply',
				'Anonymous users can: browse',
			],
		);
	});

	test('start with the account’s own ones if the forge returns them', () => {
		const everybody = permissions(['browse'], ['browse'], ['browse']).permissions;
		assert.ok(everybody);
		assert.deepEqual(permissionTexts(fake({ permissions: { ...everybody, mine: ['browse', 'moderate'] } })), [
			'You can: browse, moderate',
			'Everyone can: browse',
		]);
	});

	test('leave out groups that the forge doesn’t return', () => {
		assert.deepEqual(permissionTexts(permissions(undefined, ['browse'], [])), [
			'Subscribers can: browse',
			'Others with an account can: nothing',
		]);
	});

	test('appear once if all groups have the same ones', () => {
		const words: readonly ListPermission[] = ['browse', 'reply', 'post', 'moderate', 'normal'];
		assert.deepEqual(permissionTexts(permissions(words, words, words)), [
			'Everyone can: browse, reply, post, moderate',
		]);
	});

	test('show an unknown permission as written', () => {
		assert.deepEqual(permissionTexts(permissions(['normal'], ['other:fly\u202E'], [])), [
			'Subscribers can: fly⟨U+202E⟩',
			'Others with an account can: nothing',
			'Anonymous users can: browse, reply, post',
		]);
	});

	test('are empty if the forge returns none', () => {
		assert.deepEqual(permissionTexts(makeList()), []);
	});

	test('appear in the tooltip as text, even with a hostile list name', () => {
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
