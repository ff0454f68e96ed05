import type { Background } from '../../src/store/background/backgroundLoop.ts';
import { fake } from './fake.ts';

/** Runs nothing. */
export function idleBackground(): Background {
	return fake<Background>({
		loop: fake<Background['loop']>({
			add: () => ({ dispose: () => undefined }),
			plan: () => undefined,
			endOwnRests: () => undefined,
			limit: () => undefined,
			restIfLimited: () => undefined,
		}),
	});
}
