/** Private keys over a reload of the page, each under the digest of the key of its session. */
export type KeyStore = {
  get(name: string): Promise<CryptoKey | undefined>;
  put(name: string, key: CryptoKey): Promise<void>;
};

type Kept = { name: string; key: CryptoKey };

/** So many sessions the daemon has at once. */
const MOST_KEYS = 32;
const [DATABASE, STORE, KEPT] = ['handrail', 'keys', 'kept'];

/**
 * Keeps keys in IndexedDB, which takes them as they are: no script can read one out of it. A browser that stores nothing leaves the page
 * without a key after a reload, and the person signs in again.
 */
export function createKeyStore(factory: IDBFactory): KeyStore {
  const open = async (mode: IDBTransactionMode) => {
    const request = factory.open(DATABASE, 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE);
    return (await answerOf(request)).transaction(STORE, mode).objectStore(STORE);
  };
  return {
    async get(name) {
      try {
        const kept = keptIn(await answerOf((await open('readonly')).get(KEPT)));
        return kept.find((each) => each.name === name)?.key;
      } catch (error) {
        return unlessStorage(error);
      }
    },
    async put(name, key) {
      try {
        const store = await open('readwrite');
        const kept = keptIn(await answerOf(store.get(KEPT)));
        await answerOf(store.put([...kept, { name, key }].slice(-MOST_KEYS), KEPT));
      } catch (error) {
        unlessStorage(error);
      }
    },
  };
}

function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function keptIn(stored: unknown): Kept[] {
  return Array.isArray(stored) ? stored.filter(isKept) : [];
}

function isKept(stored: unknown): stored is Kept {
  const { name, key }: Partial<Record<string, unknown>> = Object(stored);
  return typeof name === 'string' && key instanceof CryptoKey;
}

/** The browser refuses the storage, or has lost it. */
function unlessStorage(error: unknown): undefined {
  if (!(error instanceof DOMException)) throw error;
}
