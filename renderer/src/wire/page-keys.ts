import {
  PROOF_HEADER,
  type ProofFault,
  type ProvedCall,
  proofText,
  provedText,
} from '../../../src/contract/session-proof.ts';

type Fetch = typeof globalThis.fetch;

const PAIR = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };

/** A key pair for a session that is still to be opened. */
type NewKey = { publicKey: string; keep(session: string): Promise<void> };

export type PageKeys = {
  /** Makes a pair whose private key no script can read. */
  make(): Promise<NewKey>;
  /** The same function, but a call with the key of a session is signed with the private key of its page. */
  signing(fetch: Fetch): Fetch;
};

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

/** Signs the calls of this page. `origin`: where they go. A session without a private key here is left to the daemon to refuse. */
export function createPageKeys({ store, origin }: { store: KeyStore; origin: string }): PageKeys {
  const known = new Map<string, Promise<CryptoKey | undefined>>();
  const nextNumber = createNumbers();

  function keyOf(session: string): Promise<CryptoKey | undefined> {
    const found = known.get(session) ?? digestOf(session).then(store.get);
    known.set(session, found);
    return found;
  }

  async function proofOf(key: CryptoKey, call: Omit<ProvedCall, 'bodyDigest'>, body: string): Promise<string> {
    const proved = { ...call, bodyDigest: await digestOf(body) };
    const signed = await crypto.subtle.sign(SIGNATURE, key, bytesOf(provedText(proved)));
    return proofText({ ...proved, signature: hexOf(signed) });
  }

  return {
    async make() {
      const { publicKey, privateKey } = await crypto.subtle.generateKey(PAIR, false, ['sign', 'verify']); // guard A27-6
      return {
        publicKey: hexOf(await crypto.subtle.exportKey('spki', publicKey)),
        async keep(session) {
          known.set(session, Promise.resolve(privateKey));
          await store.put(await digestOf(session), privateKey);
        },
      };
    },
    signing: (fetch) => async (input, init) => {
      const headers = new Headers(init?.headers);
      const session = headers.get('authorization')?.replace('Bearer ', '');
      const key = session === undefined ? undefined : await keyOf(session);
      if (session === undefined || key === undefined) return fetch(input, init);
      const { pathname, search } = new URL(String(input), origin);
      const method = init?.method ?? 'GET';
      const ask = async () => {
        const call = { method, target: pathname + search, session, number: nextNumber() };
        headers.set(PROOF_HEADER, await proofOf(key, call, typeof init?.body === 'string' ? init.body : ''));
        return fetch(input, { ...init, headers });
      };
      const answer = await ask();
      if (!(await wasSentTwice(answer))) return answer;
      if (method === 'GET') return ask();
      throw new TypeError('the answer to this call was lost');
    },
  };
}

/**
 * A browser sends a call again, the same bytes, where its connection breaks before the answer. The daemon has served the first one then, and
 * refuses the second. The page has a key all the same, so the session is not over.
 */
async function wasSentTwice(answer: Response): Promise<boolean> {
  if (answer.status !== 401) return false;
  const problem: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return Object(problem).reason === ('proof_replayed' satisfies ProofFault);
}

const DIGITS_BELOW_1_MS = 1_000_000;

/**
 * The number of each call: the time, and digits by chance, since a tab that was duplicated has the same session and key. It grows in this page
 * also where the clock is set back.
 */
function createNumbers(): () => string {
  let last = 0n;
  return () => {
    // The clock that a test puts into the page has parts of a millisecond.
    const now =
      BigInt(Math.floor(Date.now())) * BigInt(DIGITS_BELOW_1_MS) +
      BigInt(Math.floor(Math.random() * DIGITS_BELOW_1_MS));
    last = now > last ? now : last + 1n;
    return String(last);
  };
}

async function digestOf(text: string): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', bytesOf(text)));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
