import assert from 'node:assert/strict';
import { contentAreas } from 'sourcehut/port/instance.ts';
import { contractSuite, problemFrom, protocolSuite, wanted } from '../support/contractForge.ts';

protocolSuite('users', { inBoth: true }, ({ dialect, forge }) => {
	for (const area of contentAreas) {
		test(`${area} returns the owner of the token`, async () => {
			const user = await forge().as('alice').users.user(area, undefined, wanted());
			assert.deepEqual(
				{ ...user, bio: typeof user.bio },
				{
					canonicalName: '~alice',
					name: 'alice',
					email: 'alice@forge.test',
					url: 'https://alice.example',
					location: 'Zürich',
					bio: 'string',
				},
			);
		});

		test(`${area} returns another user by ~name`, async () => {
			await forge().as('bob').users.user(area, undefined, wanted());
			const user = await forge().as('alice').users.user(area, '~bob', wanted());
			assert.equal(user.canonicalName, '~bob');
		});

		test(`${area} reports an unknown user as not found`, async () => {
			const problem = await problemFrom(forge().as('alice').users.user(area, '~nobody', wanted()));
			assert.deepEqual(problem, { kind: 'notFound' });
		});

		test(`${area} returns its version`, async () => {
			assert.match((await forge().as('alice').users.version?.(area, wanted())) ?? '', /\S/);
		});
	}

	test('in the field, an area does not know users who never used it', async () => {
		const asked = forge().as('alice').users.user('todo', '~erin', wanted());
		if (dialect !== 'document') {
			assert.deepEqual(await problemFrom(asked), { kind: 'notFound' });
		} else {
			assert.equal((await asked).name, 'erin');
		}
	});
});

/** These paths exist only in REST. */
contractSuite('users over REST', {}, ({ forge }) => {
	for (const area of contentAreas) {
		test(`${area} uses the implied form for the own account and the explicit form for others`, async () => {
			const { sample } = forge();
			await sample.forgetRequests();
			const { users } = forge().as('alice');
			await users.user(area, undefined, wanted());
			await users.user(area, '~alice', wanted());
			await users.user(area, '~bob', wanted());
			assert.deepEqual(
				(await sample.requests()).map(({ path }) => path),
				['/api/user', '/api/user', '/api/user/~bob'],
			);
		});
	}
});
