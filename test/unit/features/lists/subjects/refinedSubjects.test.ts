import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';

const lists = await import('../../../../../src/features/lists/subjects/subjects.ts');
const repositories = await import('../../../../../src/features/repositories/subjects/subjects.ts');

const named = { owner: '~alice', name: 'lantern' };
const within = { connectionKey: 'alice', ref: named, repository: named };
const subjects: readonly (readonly [string, (value: unknown) => unknown, object])[] = [
	['messageId', lists.mailSubject, { kind: 'mail', connectionKey: 'alice', list: named, id: 1 }],
	['isGone', repositories.changeSubject, { kind: 'change', ...within, before: 'a', after: 'b', path: 'README' }],
	['lines', repositories.repositoriesSubject, { kind: 'file', ...within, at: { ref: 'main', path: 'README' } }],
];

suite('command subject', () => {
	for (const [field, read, subject] of subjects) {
		test(`parses without an invalid ${field}`, () => {
			const plain = read(subject);
			assert.ok(plain);
			for (const value of [undefined, null, 'wrong'.split('')]) {
				const found = read({ ...subject, [field]: value });
				assert.deepEqual({ ...plain, [field]: undefined }, found && { ...found, [field]: undefined });
			}
		});
	}
});
