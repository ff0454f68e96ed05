import { isForgeError } from '../../forge/forgeError.ts';
import type { Forge } from '../../forge/forge.ts';
import type { Area } from '../../forge/instance.ts';

/** What watches the calls of one account. */
export interface CallWatch<Mark> {
	/** Called as a call begins; what it gives back tells which token was in force. */
	begin(): Mark;
	/**
	 * An area did not take the token of that call. True: there is another one by now, and the call may be made
	 * once more; nothing was done on the server, since it never got past the door.
	 */
	rejected(mark: Mark, area: Area): Promise<boolean>;
}

/** The same forge, with an eye on tokens that are no longer accepted. Members that are absent stay absent. */
export function watchedForge<Mark>(forge: Forge, watch: CallWatch<Mark>): Forge {
	return {
		me: forge.me,
		users: watchedApi(forge.users, watch),
		trackers: watchedApi(forge.trackers, watch),
		lists: watchedApi(forge.lists, watch),
		repositories: watchedApi(forge.repositories, watch),
		webhooks: watchedApi(forge.webhooks, watch),
	};
}

function watchedApi<Api extends object, Mark>(api: Api, watch: CallWatch<Mark>): Api {
	return new Proxy(api, {
		get(target, name) {
			const member: unknown = Reflect.get(target, name);
			if (typeof member !== 'function') {
				return member;
			}
			return (...args: readonly unknown[]): unknown =>
				watchedCall((): unknown => Reflect.apply(member, target, args), watch);
		},
	});
}

function watchedCall<Mark>(call: () => unknown, watch: CallWatch<Mark>): unknown {
	const mark = watch.begin();
	const result = call();
	if (isGenerator(result)) {
		return watchedPages(result, call, watch);
	}
	return result instanceof Promise ? watchedAnswer(result, call, (area) => watch.rejected(mark, area)) : result;
}

async function watchedAnswer(
	result: Promise<unknown>,
	again: () => unknown,
	rejected: (area: Area) => Promise<boolean>,
): Promise<unknown> {
	try {
		return await result;
	} catch (error) {
		const area = rejectingArea(error);
		if (area !== undefined && (await rejected(area))) {
			return await again();
		}
		throw error;
	}
}

async function* watchedPages<Mark>(
	pages: AsyncGenerator<unknown, void, undefined>,
	again: () => unknown,
	watch: CallWatch<Mark>,
): AsyncGenerator<unknown, void, undefined> {
	let hasBegun = false;
	let mark = watch.begin();
	try {
		for await (const page of pages) {
			hasBegun = true;
			yield page;
			// The next page may be asked for much later, with another token.
			mark = watch.begin();
		}
	} catch (error) {
		const area = rejectingArea(error);
		const mayRepeat = area !== undefined && (await watch.rejected(mark, area));
		const second = mayRepeat && !hasBegun ? again() : undefined;
		if (!isGenerator(second)) {
			throw error;
		}
		yield* second;
	}
}

/** The area that did not take the token, if that is what went wrong. */
function rejectingArea(error: unknown): Area | undefined {
	return isForgeError(error) && error.problem.kind === 'tokenRejected' ? error.problem.area : undefined;
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, void, undefined> {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
