import assert from 'node:assert/strict';
import { modes, readCommit, readTag, readTree } from '../src/git/gitObjects.ts';
import { createRepositoryDraft, objectId, writeTree } from '../testing/worlds/repositories/repositoryDraft.ts';

/** A signed commit in the response of a running forge. */
const seen = {
	id: 'e7711fadc9f71ed920311c4e58c9d18a534ed61a',
	tree: '7251e99e439bb7ac1139b5667cc233e517f8cebb',
	parent: '6f6de32636b60a25464d6ac2c4cd6f0eed97d966',
	signature:
		'LS0tLS1CRUdJTiBQR1AgU0lHTkFUVVJFLS0tLS0KCmlIVUVBQllJQUIwV0lRU0p1c1RWeVhRSENtc2YzaFoxMVJaYWJRTVgvUVVDYXYveVFBQUtDUkIxMVJaYWJRTVgKL2FjZUFRQ2UvRTgzT0E1THI1NlBnYzhkRjhQYUZlWm1zZTFXUnJ4RHBnMjBnM1R2REFEK1BUOWNoNGswVVZtRQpUTWZaTExxWThremFXcHBQVVE2YnlwR0twSER4RGcwPQo9ZTA3WgotLS0tLUVORCBQR1AgU0lHTkFUVVJFLS0tLS0=',
	data: 'dHJlZSA3MjUxZTk5ZTQzOWJiN2FjMTEzOWI1NjY3Y2MyMzNlNTE3ZjhjZWJiCnBhcmVudCA2ZjZkZTMyNjM2YjYwYTI1NDY0ZDZhYzJjNGNkNmYwZWVkOTdkOTY2CmF1dGhvciBBbGljZSDDliA8YWxpY2VAZm9yZ2UudGVzdD4gMTU4MzI4MDAwMCArMDAwMApjb21taXR0ZXIgQ29tbWl0IEJvdCA8Ym90QGZvcmdlLnRlc3Q+IDE1ODMyODAwMDAgKzAwMDAKClNpZ25lZCBjb21taXQK',
};

suite('Sample forge: git objects', () => {
	test('parses a signed commit as a running forge does', () => {
		const payload = Buffer.from(seen.data, 'base64').toString('utf8');
		const signature = Buffer.from(seen.signature, 'base64').toString('utf8').replaceAll('\n', '\n ');
		const bytes = Buffer.from(payload.replace('\n\n', `\ngpgsig ${signature}\n\n`));
		assert.equal(objectId('commit', bytes), seen.id);
		const commit = readCommit(seen.id, bytes);
		assert.deepEqual(commit.parents, [seen.parent]);
		assert.equal(commit.tree, seen.tree);
		assert.equal(commit.message, 'Signed commit\n');
		assert.deepEqual(commit.author, { name: 'Alice Ö', email: 'alice@forge.test', timeS: 1583280000, offset: '+0000' });
		assert.equal(commit.committer.name, 'Commit Bot');
		assert.equal(Buffer.from(commit.signature?.text ?? '').toString('base64'), seen.signature);
		assert.equal(commit.signature?.payload.toString('base64'), seen.data);
	});

	test('writes a tree with the id of a running forge, and reads it back', () => {
		const entries = [{ name: 'mod', id: 'dfe29fccfff53a3a46f40af9e9364f40b32fcbe5', mode: 57344 }];
		const bytes = writeTree(entries);
		assert.equal(objectId('tree', bytes), '8cbda60fdc201f15c4351d609533794af20a8504');
		assert.deepEqual(readTree(bytes), entries);
		assert.equal(objectId('blob', Buffer.alloc(0)), 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
	});

	test('sorts folders as if their names ended in a slash', () => {
		const id = '0'.repeat(40);
		const entries = [
			{ name: 'a', id, mode: modes.tree },
			{ name: 'a.txt', id, mode: modes.file },
			{ name: 'a0', id, mode: modes.file },
			{ name: 'é', id, mode: modes.file },
			{ name: 'Z', id, mode: modes.file },
		];
		assert.deepEqual(
			readTree(writeTree(entries)).map(({ name }) => name),
			['Z', 'a.txt', 'a', 'a0', 'é'],
		);
	});

	test('reads incomplete commits as far as possible', () => {
		const bare = readCommit('x', Buffer.from('tree 1\n'));
		assert.deepEqual([bare.tree, bare.message, bare.author.email], ['1', '', '']);
		const noName = readCommit('x', Buffer.from('tree 1\nauthor <a@b> -5 -0330\n\nhi'));
		assert.deepEqual(noName.author, { name: '', email: 'a@b', timeS: -5, offset: '-0330' });
		assert.equal(noName.message, 'hi');
	});

	test('reads back a tag of a draft', () => {
		const draft = createRepositoryDraft();
		const who = { name: 'A', email: 'a@b.test', timeS: 1, offset: '+0000' };
		const target = draft.commit({ files: new Map(), parents: [], author: who, message: 'm\n' });
		const id = draft.tag({ name: 'v1', target, tagger: who, message: 'One\n\nmore\n' });
		const bytes = draft.objects.get(id)?.bytes ?? Buffer.alloc(0);
		assert.deepEqual(readTag(bytes), { target, type: 'commit', name: 'v1', message: 'One\n\nmore\n' });
	});
});
