import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { sampleInstance } from '../../../support/fakeConnection.ts';

const { writtenName } = await import('../../../../src/features/people/peopleFeature.ts');

const { lists, todo } = sampleInstance.areas;

suite('name in a text', () => {
	for (const [text, name] of [
		['alice', '~alice'],
		[' ~alice ', '~alice'],
		['~alice/', '~alice'],
		['bob@forge.test', 'bob@forge.test'],
		['mailto:bob@forge.test', 'bob@forge.test'],
		['Bob "the" Builder <bob@forge.test>', 'bob@forge.test'],
		[`${todo}/~alice`, '~alice'],
		[`${lists}/bob@host.example/`, 'bob@host.example'],
		[`${todo}/~alice/alpha`, undefined],
		['https://evil.example/~alice', undefined],
		['https://', undefined],
		['Bob Builder', undefined],
		['~', undefined],
		['~alice/alpha', undefined],
		['a@b@c', undefined],
		['~a\u202Eb c', undefined],
		['', undefined],
		[`~${'a'.repeat(600)}`, undefined],
	] as const) {
		test(`${JSON.stringify(text.slice(0, 60))} names ${name ?? 'nobody'}`, () => {
			assert.equal(writtenName(text, sampleInstance), name);
		});
	}
});
