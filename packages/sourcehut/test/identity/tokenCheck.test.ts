import assert from 'node:assert/strict';
import { ForgeError, type Problem } from '../../src/port/forgeError.ts';
import { contentAreas, type ContentArea } from '../../src/port/instance.ts';
import { SignInError } from '../../src/identity/signInError.ts';
import { Token } from '../../src/identity/token.ts';
import { checkToken, whyBarred, type TokenCheck } from '../../src/identity/tokenCheck.ts';

/** `answers`: the account name in each area, or its error. */
function check(answers: Readonly<Record<ContentArea, string | Problem>>): Promise<TokenCheck> {
	const whoAmI = async (area: ContentArea): Promise<string> => {
		const answer = answers[area];
		if (typeof answer === 'string') {
			return answer;
		}
		throw new ForgeError(answer);
	};
	return checkToken(new Token('0123456789'), { areas: contentAreas, whoAmI }, new AbortController().signal);
}

const failed: Problem = { kind: 'serverError', status: 502 };

suite('token check', () => {
	test('distinguishes areas that reject the token from areas without a response', async () => {
		for (const refusal of [
			{ kind: 'tokenRejected', area: 'git' },
			{ kind: 'notAllowed' },
			{ kind: 'missingScope', scope: 'info:read', asWritten: 'info:read' },
		] as const) {
			assert.deepEqual(await check({ todo: '~alice', lists: failed, git: refusal }), {
				accountName: '~alice',
				refusedBy: ['git'],
				unheard: ['lists'],
			});
		}
	});

	test('fails if areas report different accounts', async () => {
		await assert.rejects(
			check({ todo: '~alice', lists: '~bob', git: '~alice' }),
			(error) => error instanceof SignInError && error.problem.kind === 'notUnderstood',
		);
	});

	test('reports a rejection by all areas, and otherwise the failure if none accepted the token', async () => {
		const refused: Problem = { kind: 'notAllowed' };
		await assert.rejects(
			check({ todo: refused, lists: refused, git: refused }),
			(error) => error instanceof SignInError && error.problem.kind === 'tokenRefused',
		);
		await assert.rejects(check({ todo: refused, lists: failed, git: refused }), ForgeError);
	});
});

suite('account check', () => {
	const all: TokenCheck = { accountName: '~alice', refusedBy: [], unheard: [] };
	const signal = new AbortController().signal;

	/** The result after the first read of an area failed with `error`, and that area. */
	async function told(checked: TokenCheck, error: Error | undefined): Promise<readonly unknown[]> {
		const asked: unknown[] = [];
		const readAnything = async (area: ContentArea): Promise<void> => {
			asked.push(area);
			if (error !== undefined) {
				throw error;
			}
		};
		const reading = { areas: contentAreas, readAnything };
		return [await whyBarred(new Token('0123456789'), checked, reading, signal), ...asked];
	}

	test('asks one area that accepted the token', async () => {
		const barred = new ForgeError({ kind: 'notAllowed', reason: 'Not confirmed' });
		assert.deepEqual(await told(all, barred), ['Not confirmed', 'todo']);
		assert.deepEqual(await told({ ...all, refusedBy: ['todo'], unheard: ['git'] }, barred), ['Not confirmed', 'lists']);
		assert.deepEqual(await told(all, undefined), [undefined, 'todo']);
	});

	test('fails only on a rejection with a reason', async () => {
		const problems: readonly Problem[] = [
			{ kind: 'notAllowed' },
			{ kind: 'missingScope', scope: 'trackers:read', asWritten: 'trackers:read' },
			{ kind: 'notFound' },
			failed,
		];
		for (const problem of problems) {
			assert.deepEqual(await told(all, new ForgeError(problem)), [undefined, 'todo'], problem.kind);
		}
		await assert.rejects(told(all, new DOMException('', 'AbortError')), { name: 'AbortError' });
		await assert.rejects(told(all, new TypeError('a slip of ours')), TypeError);
	});
});
