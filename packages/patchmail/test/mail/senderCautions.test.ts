import assert from 'node:assert/strict';
import { listCautions, senderCautions } from '../../src/mail/senderCautions.ts';

const dave = 'Dave@Forge.Test';

suite('sender cautions', () => {
	test('do not arise if the name is the sender’s own address in any case', () => {
		for (const [name, address] of [
			['dave@forge.test', 'dave@forge.test'],
			['dave@forge.test', dave],
			[dave, 'dave@forge.test'],
			['DAVE@FORGE.TEST', 'dave@Forge.test'],
		] as const) {
			assert.deepEqual(senderCautions([{ name, address }], `"${name}" <${address}>`), [], `${name} <${address}>`);
		}
	});

	test('do not arise if the header writes the address in another case', () => {
		assert.deepEqual(senderCautions([{ name: 'Dave', address: 'dave@forge.test' }], `Dave <${dave}>`), []);
		assert.deepEqual(senderCautions([{ name: '', address: dave }], 'dave@forge.test'), []);
	});

	test('name another address in the sender’s name', () => {
		for (const other of ['erin@forge.test', 'dave@forge.tes', 'Erin@Forge.Test']) {
			assert.deepEqual(
				senderCautions([{ name: other, address: 'dave@forge.test' }], `"${other}" <dave@forge.test>`),
				[{ kind: 'nameHoldsAddress', address: other }],
				other,
			);
		}
	});

	test('report an address that the header does not contain', () => {
		assert.deepEqual(senderCautions([{ name: 'Dave', address: 'dave@forge.test' }], 'Dave <erin@forge.test>'), [
			{ kind: 'oddlyWritten', header: 'Dave <erin@forge.test>' },
		]);
	});

	test('report several senders and nothing else', () => {
		const both = ['dave', 'erin'].map((name) => ({ name, address: `${name}@forge.test` }));
		assert.deepEqual(senderCautions(both, 'dave <dave@forge.test>, erin <erin@forge.test>'), [
			{ kind: 'severalSenders' },
		]);
	});

	test('accept common ways to write a sender and report others', () => {
		const [name, address] = ['Dave', 'dave@forge.test'];
		const longName = 'x'.repeat(982);
		for (const header of [
			`Dave <${address}>`,
			` Dave <${address}> `,
			`"Dave, \\"the\\" <x>" <${address}>`,
			`"Dave" ${address}`,
			`${address} (Dave)`,
			`${address}  (Dave)`,
			`${longName} <${address}>`,
		]) {
			assert.deepEqual(senderCautions([{ name, address }], header), [], header);
		}
		for (const header of [
			`Dave ${address}`,
			`Dave <${address}> x`,
			`Dave <${address}`,
			`Dave, <${address}>`,
			`${address} Dave`,
			`${address} (Dave) x`,
			`${address} (x@y)`,
			`${longName}x <${address}>`,
			'',
		]) {
			const cautions = [{ kind: 'oddlyWritten', header: header.slice(0, 1000) }] as const;
			assert.deepEqual(senderCautions([{ name, address }], header), cautions, header);
		}
	});

	test('are empty without a sender, and check only the beginning of long names', () => {
		assert.deepEqual(senderCautions([], ''), []);
		const address = 'dave@forge.test';
		const header = `Dave <${address}>`;
		assert.deepEqual(senderCautions([{ name: `${'x'.repeat(1000)} erin@forge.test`, address }], header), []);
		assert.deepEqual(senderCautions([{ name: `${'x '.repeat(490)} erin@forge.test`, address }], header), [
			{ kind: 'nameHoldsAddress', address: 'erin@forge.test' },
		]);
	});

	const ann = { name: 'Ann Lee', address: 'ann@forge.test' } as const;
	const list = { name: 'Ann Lee via dev', address: 'dev@lists.forge.test' } as const;
	const other = { name: 'Ann Lee', address: 'ann@other.test' } as const;
	const nobody = { from: [list], replyTo: [], cc: [] } as const;

	test('report a list that sends for a person, and the likely person', () => {
		for (const [people, original, likely] of [
			[nobody, undefined, undefined],
			[nobody, 'Ann Lee <ann@forge.test>', ann],
			[nobody, '=?utf-8?q?Ann_Lee?= <ann@forge.test>', ann],
			[nobody, 'Bob <bob@forge.test>', { name: 'Bob', address: 'bob@forge.test' }],
			[nobody, 'Ann Lee', undefined],
			[nobody, 'Ann Lee <DEV@lists.forge.test>', undefined],
			[nobody, `${'x'.repeat(1000)} <ann@forge.test>`, undefined],
			[{ ...nobody, replyTo: [ann], cc: [other] }, undefined, ann],
			[{ ...nobody, cc: [{ ...ann, name: 'Bob' }, other] }, undefined, other],
			[{ ...nobody, replyTo: [ann] }, 'Ann <ann@third.test>', { name: 'Ann', address: 'ann@third.test' }],
			[{ ...nobody, replyTo: [ann] }, 'Ann <dev@lists.forge.test>', ann],
			[
				{
					...nobody,
					cc: [
						{ ...list, name: 'Ann Lee' },
						{ name: 'Ann Lee', address: '' },
					],
				},
				undefined,
				undefined,
			],
			[{ ...nobody, cc: [{ ...ann, name: 'Bob' }] }, undefined, undefined],
			...['"Ann Lee"', "'Ann Lee'", ' " Ann Lee'].map(
				(name) =>
					[{ ...nobody, from: [{ ...list, name: `${name} VIA dev via x` }], cc: [ann] }, undefined, ann] as const,
			),
			[{ ...nobody, from: [{ ...list, name: ' via dev' }], cc: [{ ...ann, name: '' }] }, undefined, undefined],
			[{ ...nobody, from: [{ ...list, name: 'Ann "x" Lee via dev' }], cc: [ann] }, undefined, undefined],
		] as const) {
			const cautions = [{ kind: 'sentByList', likely }] as const;
			assert.deepEqual(listCautions(people, original), cautions, JSON.stringify([people, original]));
		}
	});

	test('report no list without its name in the sender', () => {
		for (const from of [
			[],
			[list, ann],
			[ann],
			[{ ...list, name: '' }],
			[{ ...list, name: `${'x'.repeat(1000)} via dev` }],
		]) {
			assert.deepEqual(listCautions({ ...nobody, from }, 'Ann Lee <ann@forge.test>'), [], JSON.stringify(from));
		}
	});
});
