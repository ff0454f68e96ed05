import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketStatus } from 'sourcehut/port/ticket.ts';
import type { StatusLimits } from 'sourcehut/port/ticketRequest.ts';

const { statusButtons: moveChoices, moveOf } =
	await import('../../../../../src/features/tickets/page/statusButtons.ts');

const all = { onlyResolvesAndReopens: false };
const two = { onlyResolvesAndReopens: true };
const keys = (status: TicketStatus, limits: StatusLimits): readonly string[] =>
	moveChoices({ status, resolution: 'fixed' }, limits).map(({ key }) => key);

suite('status moves', () => {
	test('include every move that the forge is not known to reject', () => {
		assert.deepEqual(keys('reported', all).slice(-3), ['set:confirmed', 'set:in_progress', 'set:pending']);
		assert.deepEqual(keys('pending', all).slice(-3), ['set:confirmed', 'set:in_progress', 'reopen']);
		assert.equal(keys('reported', all)[0], 'resolve:fixed');
	});

	test('include only two for a forge that knows two', () => {
		assert.ok(keys('reported', two).every((key) => key.startsWith('resolve:')));
		assert.deepEqual(keys('resolved', two), ['reopen']);
	});

	test('include all other resolutions and every status when the forge changes resolutions', () => {
		const offered = keys('resolved', { ...all, changesResolutions: true });
		assert.equal(offered[0], 'reopen');
		assert.ok(offered.includes('resolve:invalid') && !offered.includes('resolve:fixed'));
		assert.deepEqual(offered.slice(-3), ['set:confirmed', 'set:in_progress', 'set:pending']);
	});

	test('parse every offered key, and nothing else', () => {
		for (const key of [...keys('reported', all), ...keys('resolved', all)]) {
			assert.notEqual(moveOf(key), undefined, key);
		}
		for (const key of [
			'',
			'resolve',
			'resolve:unresolved',
			'set:resolved',
			'set:reported',
			'delete',
			'resolve:__proto__',
		]) {
			assert.equal(moveOf(key), undefined, key);
		}
	});
});
