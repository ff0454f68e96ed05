import { linksPage, noPage } from './answers.ts';
import { type Call, findOwned, open, type Owned, param, type Users } from './area.ts';
import { need } from './checks.ts';

/** Web pages of the things that people own (docs/protocol.md#web-addresses). They show what anybody may see. */
export function ownedPages<T extends Owned>(users: Users, all: readonly T[], isListed: (thing: T) => boolean) {
	const ownerOf = (call: Call) => need(users.byName(param(call, 'owner').slice(1)), noPage);
	return {
		ownerPage: open('GET', '/~:owner', (call) => {
			const owner = ownerOf(call);
			const shown = all.filter((each) => each.owner === owner && isListed(each));
			return linksPage(
				`~${owner.name}`,
				shown.map((each) => [addressOf(each), each.name]),
			);
		}),
		/** The thing at `/~:owner/:name`. */
		find: (call: Call, isReadable = isListed): T => {
			const thing = findOwned(all, ownerOf(call), param(call, 'name'));
			return need(thing !== undefined && isReadable(thing) ? thing : undefined, noPage);
		},
	};
}

/** Path of a thing's page. */
export function addressOf({ owner, name }: Owned): string {
	return `/~${owner.name}/${name}`;
}
