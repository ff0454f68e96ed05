import assert from 'node:assert/strict';
import { printedPeople } from '../../src/mail/printedPeople.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const peopleOf = (text: string | Uint8Array): readonly string[] => {
	const printed = printedPeople(typeof text === 'string' ? Buffer.from(text) : text);
	assert.equal(printed.kind, 'people', JSON.stringify(printed));
	return printed.kind === 'people' ? printed.people.map(({ name, address }) => `${name}|${address}`) : [];
};

suite('people printed by a command', () => {
	test('reads one person a line, without empty lines and repetitions', () => {
		assert.deepEqual(peopleOf('Bob <bob@x.org>\r\n\r\ncarol@x.org\n  Dan <dan@x.org>  \rBOB@x.org\n'), [
			'Bob|bob@x.org',
			'|carol@x.org',
			'Dan|dan@x.org',
		]);
		assert.deepEqual(peopleOf(''), []);
	});

	test('reads names with commas, dots and quotation marks, and the roles behind addresses', () => {
		assert.deepEqual(
			peopleOf(
				[
					'Doe, Jane <jane@x.org>',
					'"Doe, John" <john@x.org> (maintainer:LAMPS (bright),commit_signer:1/2=50%)',
					'Eve "E" O.Reilly, Jr. <eve@x.org>',
					'lists@x.org (open list)',
					'Dr. Fay (Lab) <fay@x.org>',
				].join('\n'),
			),
			[
				'Doe, Jane|jane@x.org',
				'Doe, John|john@x.org',
				'Eve E O.Reilly, Jr.|eve@x.org',
				'open list|lists@x.org',
				'Dr. Fay (Lab)|fay@x.org',
			],
		);
	});

	test('reads names in UTF-8 and in Latin-1, line by line', () => {
		assert.deepEqual(peopleOf(bytes('J\xf6rg <j@x.org>\nZo\xc3\xab <z@x.org>\n')), ['Jörg|j@x.org', 'Zoë|z@x.org']);
	});

	test('gives no sign of control to a name', () => {
		assert.deepEqual(peopleOf('\u001b[31mRed\u0000 <red@x.org>\n'), ['[31mRed|red@x.org']);
	});

	test('rejects a line that is not one person', () => {
		for (const line of [
			'nobody',
			'a@x.org, b@x.org',
			'a@x.org, Doe <b@x.org>',
			'Bob <bob@x.org> <eve@x.org>',
			'Bob <bob@@x.org>',
			'-oProxy=x@x.org',
			'Bob <b\xf6b@x.org>',
			'To: bob@x.org',
			`${'n'.repeat(2000)} <bob@x.org>`,
		]) {
			const printed = printedPeople(Buffer.from(`Ann <ann@x.org>\n${line}\n`));
			assert.deepEqual(printed, { kind: 'badLine', line: line.slice(0, 1000) }, line);
		}
	});

	test('rejects more than a hundred people, and takes one person a thousand times', () => {
		const lines = (count: number): Buffer =>
			Buffer.from(Array.from({ length: count }, (_, at) => `p${at}@x.org\n`).join(''));
		assert.equal(peopleOf(lines(100)).length, 100);
		assert.deepEqual(printedPeople(lines(1500)), { kind: 'tooMany' });
		assert.deepEqual(peopleOf('Bob <bob@x.org>\n'.repeat(1500)), ['Bob|bob@x.org']);
	});
});
