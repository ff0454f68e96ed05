import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { Connection, Connections } from '../../store/connection.ts';

/** The accounts whose forge has the area. Other accounts hide the area. */
export function withArea(connections: Connections, area: ContentArea): Connections {
	const has = ({ instance }: Connection): boolean => instance.areas[area] !== undefined;
	return {
		all: () => connections.all().filter(has),
		byKey(key) {
			const connection = connections.byKey(key);
			return connection && has(connection) ? connection : undefined;
		},
		onDidChange: connections.onDidChange,
	};
}
