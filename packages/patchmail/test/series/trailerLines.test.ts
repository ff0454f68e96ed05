import assert from 'node:assert/strict';
import { personKey, trailerLines } from '../../src/series/trailerLines.ts';

function told(...lines: readonly (string | undefined)[]): readonly string[] {
	return trailerLines(lines).map(({ key, value }) => `${key}: ${value}`);
}

suite('trailers with a person', () => {
	const bob = 'Bob <bob@b.test>';
	const cases: readonly (readonly [lines: readonly (string | undefined)[], told: readonly string[]])[] = [
		[[`reviewed-BY \t: ${bob} `], [`Reviewed-by: ${bob}`]],
		[[`X-by: ${bob}`], [`X-by: ${bob}`]],
		[
			[`co-developed-by:${bob}`, `CO-AUTHORED-BY:${bob}`, `naked-by: ${bob}`, `signed-OFF-by: ${bob}`],
			[`Co-developed-by: ${bob}`, `Co-authored-by: ${bob}`, `NAKed-by: ${bob}`, `Signed-off-by: ${bob}`],
		],
		[['Acked-by: Bob', '\t  <bob@b.test> '], [`Acked-by: ${bob}`]],
		[
			['Acked-by: Bob', '<bob@b.test> x', 'Acked-by: Bob', 'x <bob@b.test>'],
			['Acked-by: Bob', 'Acked-by: Bob'],
		],
		[['Acked-by: Bob \t', '<bob@b.test>'], [`Acked-by: ${bob}`]],
		[['Acked-by: Bob', `<${'x'.repeat(400)}@b.test>`], ['Acked-by: Bob']],
		[['Acked-by: Bob <bob@b.test> mailto:bob@b.test>'], [`Acked-by: ${bob}`]],
		[[`Acked-by: ${bob}`, '<eve@b.test>'], [`Acked-by: ${bob}`]],
		[['Acked-by: Bob'], ['Acked-by: Bob']],
		[
			[
				'Suggested-by: in this case is wrong',
				'Suggested-by: The name of the maintainer',
				'Tested-by: should I add this?',
				'Reviewed-by: would be nice, too.',
				'Acked-by: see https://forge.test?',
			],
			[],
		],
		[
			[`Reviewed--by: ${bob}`, `Acked-by:: ${bob}`, `Tested-by :: ${bob}`],
			[`Reviewed-by: ${bob}`, `Acked-by: ${bob}`, `Tested-by: ${bob}`],
		],
		[[`Reviewed---by: ${bob}`, `-by: ${bob}`, `--by: ${bob}`], []],
		[['Suggested-by: ...', 'Co-developed-by: .', 'Acked-by: B. B. <...>', 'Acked-by: Bob <…> # new tag'], []],
		[['Acked-by: Bob <bob at b.test>'], ['Acked-by: Bob <bob at b.test>']],
		[
			[
				'Reported-by: kernel test robot',
				'Reported-by: ~bob',
				'Tested-by: Jan van der Berg',
				'Acked-by: Li An',
				'Acked-by: Ibn al-Haytham de la Cruz',
				'Acked-by: A. Lee',
				'Acked-by: Can In Will',
				'Acked-by: 李安',
				'Reported-by: the test robot <lkp@forge.test>',
			],
			[
				'Reported-by: kernel test robot',
				'Reported-by: ~bob',
				'Tested-by: Jan van der Berg',
				'Acked-by: Li An',
				'Acked-by: Ibn al-Haytham de la Cruz',
				'Acked-by: A. Lee',
				'Acked-by: Can In Will',
				'Acked-by: 李安',
				'Reported-by: the test robot <lkp@forge.test>',
			],
		],
		[
			['Acked-by: Bob <bob@b.test<mailto:bob@b.test>>', 'Acked-by: Bob <bob@b.test> \t>'],
			[`Acked-by: ${bob}`, `Acked-by: ${bob}`],
		],
		[['Acked-by: Bob <bob@b.test>.,;!'], [`Acked-by: ${bob}`]],
		[
			['Acked-by: Bob <bob@b.test>.x', 'Acked-by: mailto:x'],
			['Acked-by: Bob <bob@b.test>.x', 'Acked-by: x'],
		],
		[['Acked-by: Bob <mailto:bob@b.test>'], [`Acked-by: ${bob}`]],
		[['Acked-by: Bob [bob@b.test](mailto:bob@b.test)'], [`Acked-by: ${bob}`]],
		[['Acked-by: Bob [bob@b.test](mailto:eve@b.test)'], ['Acked-by: Bob [bob@b.test](mailto:eve@b.test)']],
		[['Acked-by: ', undefined, 'Fixes: a@b.test', ` Acked-by: ${bob}`, `> Acked-by: ${bob}`, `-by: ${bob}`], []],
		[[`Acked-by: ${'x'.repeat(390)}`, `Acked-by: ${'x'.repeat(391)}`], [`Acked-by: ${'x'.repeat(390)}`]],
	];
	for (const [lines, expected] of cases) {
		test(`come from ${JSON.stringify(lines).slice(0, 100)}`, () => assert.deepEqual(told(...lines), expected));
	}

	test('are limited to 200', () => {
		assert.equal(told(...Array.from({ length: 201 }, () => `Acked-by: ${bob}`)).length, 200);
	});

	test('have one key per person for every spelling', () => {
		const keys = [
			{ name: 'Bob', address: 'BOB@b.test' },
			{ name: ' Bob \t B ', address: '' },
		].map(personKey);
		assert.deepEqual(keys, ['bob@b.test', 'bob b']);
	});
});
